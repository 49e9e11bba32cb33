// Search in pages that were opened from disk. There browsers refuse workers and reading other files, which the theme searches with:
// the index comes as a script, and what the worker does is done in a frame.
if (location.protocol === "file:") {
  const index = document.currentScript.dataset.index;
  // search_index.js calls this.
  window.__search = {};
  window.__search.index = new Promise(resolve => { window.__search_index = resolve; });
  document.write(`<script src="${index}"><\/script>`);

  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.waiting = [];
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.appendChild(this.frame);
      const inner = this.frame.contentWindow;
      const page = inner.document;
      page.open();
      page.write("<!doctype html><title>search</title>");
      page.close();
      inner.postMessage = data => this.dispatchEvent(new MessageEvent("message", { data }));
      const script = page.createElement("script");
      script.src = url;
      script.onload = () => {
        const waiting = this.waiting;
        this.waiting = null;
        waiting.forEach(data => this.postMessage(data));
      };
      page.head.appendChild(script);
    }

    postMessage(data) {
      if (this.waiting) this.waiting.push(data);
      else this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data }));
    }

    terminate() { this.frame.remove(); }
  };
}
