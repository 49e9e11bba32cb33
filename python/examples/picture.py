"""A picture of a scene in a PNG file, without a display. usage: picture.py [FILE.png]"""
# %% A scene shipped with mote, after a few steps.
import struct
import sys
import zlib

import numpy as np

import mote

sim = mote.load("galaxies", {"n": 2048}, backend="cpu")
sim.step(20)

# %% (height, width, 3) bytes, top row first.
try:
    picture = sim.render(640, 360)
except (mote.SystemError, mote.InputError) as error:  # no OpenGL driver, or built without rendering
    print("skipped:", error)
    sys.exit()
assert picture.shape == (360, 640, 3) and picture.dtype == np.uint8
assert picture[120:240, 200:440].mean() > 2 * picture[:20].mean(), "bodies are in the middle"


# %% matplotlib.pyplot.imshow(picture) shows it, PIL.Image.fromarray(picture).save(...) writes it. Without these:
def write_png(path, rgb):
    height, width, _ = rgb.shape
    rows = np.concatenate([np.zeros((height, 1), np.uint8), rgb.reshape(height, -1)], axis=1)

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">2I5B", width, height, 8, 2, 0, 0, 0)) +
                   chunk(b"IDAT", zlib.compress(rows.tobytes())) + chunk(b"IEND", b""))


path = sys.argv[1] if len(sys.argv) > 1 else "galaxies.png"
write_png(path, picture)
print("wrote", path)
