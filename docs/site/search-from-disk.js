// Search in pages that are opened from a disk: a browser starts no worker for them, so an invisible frame does the worker's work.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      this.ready = new Promise((done) => this.frame.addEventListener("load", done, { once: true }));
      const script = document.createElement("script");
      script.src = new URL(url, location.href).href;
      const opening = "<script>postMessage = (data) => parent.postMessage(data, '*')</" + "script>";
      this.frame.srcdoc = opening + script.outerHTML;
      window.addEventListener("message", (event) => {
        if (event.source === this.frame.contentWindow) {
          const answer = new MessageEvent("message", { data: event.data });
          this.dispatchEvent(answer);
          if (this.onmessage) this.onmessage(answer);
        }
      });
      document.body.append(this.frame);
    }
    async postMessage(data) {
      await this.ready;
      this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data }));
    }
    terminate() {
      this.frame.remove();
    }
  };
}
