---@meta
-- What scenes may hold, for editors with the Lua language server. Written by `mote schema --lua`; edit the descriptions in
-- the sources, not this file.

---@alias mote.vector number[] three numbers {x, y, z}
---@alias mote.bodies mote.body|mote.made|mote.bodies[] a body, what makes bodies, or a list of them

---@class mote.made bodies that a function of mote makes

---@class (exact) mote.param
---@field min? number smallest value
---@field max? number largest value
---@field unit? "length"|"time"|"mass"|"velocity"|"angle"
---@field doc? string one line: what it is
---@field choices? string[] what a text may be

---A value that `--set`, the window and sweeps can change.
---@generic T
---@param name string
---@param default T
---@param options? mote.param
---@return T
function param(name, default, options) end

---The same bodies, farther along.
---@param bodies mote.bodies
---@param by mote.vector added to positions
---@return mote.made
function translate(bodies, by) end

---The same bodies, faster.
---@param bodies mote.bodies
---@param by mote.vector added to velocities
---@return mote.made
function boost(bodies, by) end

---The same bodies, turned about an axis through the origin.
---@param bodies mote.bodies
---@param turn { axis: mote.vector?, angle: number }
---@return mote.made
function rotate(bodies, turn) end

---The same bodies once more, to be changed without touching the first.
---@generic T
---@param bodies T
---@return T
function copy(bodies) end

---The table that a scene returns. A key without a default may be left out.
---@class (exact) mote.scene
---@field title? string one line, shown everywhere (default "")
---@field about? string what the scene shows and what it conserves (default "")
---@field units? "nbody"|"si"|"solar"|"galactic" nbody: G = 1; si: m, s, kg; solar: au, day, solar mass; galactic: kpc, 1e10 solar masses, km/s (default "nbody")
---@field seed? integer where all random numbers of the scene start (0 .. 9007199254740992, default 1)
---@field precision? "auto"|"single"|"mixed"|"double" number type of state and forces; auto: double up to 1,024 bodies, single above (default "auto")
---@field gravity? mote.gravity
---@field integrator? mote.integrator
---@field stop? mote.stop
---@field series? mote.series
---@field snapshots? mote.snapshots
---@field health? mote.health
---@field view? mote.view
---@field bodies mote.bodies bodies, generators and groups

---Newtonian gravity between all bodies, by direct summation. Leave the table out for none.
---@class (exact) mote.gravity
---@field softening? number Plummer softening length; 0 for point masses (length, >= 0, default 0)
---@field constant? number gravitational constant G, instead of that of the units (>= 0)

---How the bodies move: a scheme and a fixed time step.
---@class (exact) mote.integrator
---@field [1]? "leapfrog"|"yoshida4"|"yoshida6" scheme; leapfrog is of second order, yoshida4 and yoshida6 of fourth and sixth (default "leapfrog")
---@field name? "leapfrog"|"yoshida4"|"yoshida6" scheme; leapfrog is of second order, yoshida4 and yoshida6 of fourth and sixth (default "leapfrog")
---@field dt number time step (time, > 0)

---a body written out, { mass = 1, position = {1, 0, 0}, velocity = {0, 1, 0} }
---@class (exact) mote.body
---@field name? string shown in messages (default "")
---@field mass number a body of mass 0 feels gravity and does not pull (mass, >= 0)
---@field position mote.vector where it starts (length)
---@field velocity? mote.vector how it starts (velocity, default {0, 0, 0})

---a Plummer sphere in equilibrium, isotropic velocities
---@class (exact) mote.plummer
---@field n integer number of bodies, all of the same mass (1 .. 1e+09)
---@field mass? number mass of all bodies together (mass, >= 0, default 1)
---@field scale? number Plummer's scale; the default makes virial (Henon) units when G = mass = 1 (length, > 0, default 0.5890486225480862)
---@field cutoff? number radius beyond which there are no bodies, in scales (> 0, default 20)
---@field inclination? number turn about the x axis, before everything else (angle, default 0)
---@field node? number turn about the z axis, after the inclination: longitude of the ascending node (angle, default 0)
---@field position? mote.vector where its centre is (length, default {0, 0, 0})
---@field velocity? mote.vector how its centre moves (velocity, default {0, 0, 0})
---@field stream? integer number of the random sequence; when left out each generator of a scene has its own (0 .. 4294967295)

---a Plummer sphere in equilibrium, isotropic velocities
---@param options mote.plummer
---@return mote.made
function plummer(options) end

---a sphere of uniform density, at rest or with random velocities
---@class (exact) mote.uniform_sphere
---@field n integer number of bodies, all of the same mass (1 .. 1e+09)
---@field mass? number mass of all bodies together (mass, >= 0, default 1)
---@field radius? number radius of the sphere (length, > 0, default 1)
---@field virial_ratio? number 2 T / |W| of the random (Maxwellian) velocities: 0 is at rest, 1 in balance (>= 0, default 0)
---@field inclination? number turn about the x axis, before everything else (angle, default 0)
---@field node? number turn about the z axis, after the inclination: longitude of the ascending node (angle, default 0)
---@field position? mote.vector where its centre is (length, default {0, 0, 0})
---@field velocity? mote.vector how its centre moves (velocity, default {0, 0, 0})
---@field stream? integer number of the random sequence; when left out each generator of a scene has its own (0 .. 4294967295)

---a sphere of uniform density, at rest or with random velocities
---@param options mote.uniform_sphere
---@return mote.made
function uniform_sphere(options) end

---an exponential disk near equilibrium in the x-y plane, turning counter-clockwise seen from +z
---@class (exact) mote.disk
---@field n integer number of bodies, all of the same mass (1 .. 1e+09)
---@field mass? number mass of all bodies together (mass, >= 0, default 1)
---@field scale_length? number radius over which the surface density falls by e (length, > 0, default 1)
---@field thickness? number scale height of the sech^2 sheet, in scale lengths; 0 is razor-thin (0 .. 2, default 0.1)
---@field cutoff? number radius beyond which there are no bodies, in scale lengths (0.5 .. 30, default 6)
---@field toomre_q? number Toomre's Q of the random velocities: 0 circular orbits, below 1 unstable, above 1.5 only with dark mass (0 .. 10, default 1.5)
---@field dark_mass? number mass of a Plummer sphere whose gravity adds to the rotation; its bodies are yours to add, with plummer (mass, >= 0, default 0)
---@field dark_scale? number scale of that Plummer sphere (length, > 0, default 1)
---@field inclination? number turn about the x axis, before everything else (angle, default 0)
---@field node? number turn about the z axis, after the inclination: longitude of the ascending node (angle, default 0)
---@field position? mote.vector where its centre is (length, default {0, 0, 0})
---@field velocity? mote.vector how its centre moves (velocity, default {0, 0, 0})
---@field stream? integer number of the random sequence; when left out each generator of a scene has its own (0 .. 4294967295)

---an exponential disk near equilibrium in the x-y plane, turning counter-clockwise seen from +z
---@param options mote.disk
---@return mote.made
function disk(options) end

---bodies from a file of comma-separated values. The first line names the columns: mass, x, y, z, optionally vx, vy, vz and name; a unit may follow, as in x_au, and must be that of the scene.
---@class (exact) mote.csv
---@field file string path from the folder of the scene

---bodies from a file of comma-separated values. The first line names the columns: mass, x, y, z, optionally vx, vy, vz and name; a unit may follow, as in x_au, and must be that of the scene.
---@param options mote.csv
---@return mote.made
function csv(options) end

---When a run without a window ends: at whichever comes first. --until and --steps replace it.
---@class (exact) mote.stop
---@field time? number simulation time of the end (time, >= 0)
---@field steps? integer number of steps to the end (0 .. 1e+15)

---How often measurements become a row of series.csv.
---@class (exact) mote.series
---@field steps? integer steps between rows; when left out 1 for up to 1,024 bodies, 20 for more (1 .. 1e+15)

---When the state is written to snapshots/, besides the one that every run ends with.
---@class (exact) mote.snapshots
---@field steps? integer steps between snapshots (1 .. 1e+15)
---@field time? number simulation time between snapshots (time, > 0)

---What ends a run as unhealthy, besides numbers that are not finite.
---@class (exact) mote.health
---@field energy_error? number largest relative energy error, of either sign (> 0)

---How pictures of the scene look; changes nothing about the simulation.
---@class (exact) mote.view
---@field color? "speed"|"radius"|"acceleration"|"mass"|"id"|"x"|"y"|"z" what the colour of a body shows (default "speed")
---@field map? "inferno"|"viridis"|"magma"|"plasma"|"turbo"|"grey" colour map (default "inferno")
---@field exposure? number stops brighter (> 0) or darker (< 0) than chosen automatically (-20 .. 20, default 0)
---@field point_size? number diameter of a body in pixels at 720 lines; 0: chosen from their number (0 .. 256, default 0)
---@field bodies? "stars"|"spheres" stars that add up as light, or spheres that hide each other (default "stars")
---@field trails? "auto"|"on"|"off" ways of the bodies, in the window; auto: where they are few (default "auto")
---@field orbits? boolean ellipses of few bodies, in the window (default false)
---@field axes? boolean axes through the origin, in the window (default false)
---@field box? boolean box around all bodies, in the window (default false)
---@field glow? boolean glow of bright stars, in the window (default true)
---@field camera? mote.view.camera

---Where the scene is looked at from.
---@class (exact) mote.view.camera
---@field distance? number from the target; chosen so that the bodies fit the picture when left out (length, > 0)
---@field azimuth? number direction it looks from, counted about the z axis; 0 is +x, 90 is +y (angle, default 30)
---@field elevation? number height it looks from: 0 in the x-y plane, 90 straight from +z (angle, -90 .. 90, default 40)
---@field target? mote.vector point in the middle of the picture; the middle of the bodies when left out (length)
