// Filters, searches and sorts what is on the page, and follows addresses such as #dev.items?m=accuracy; without it all of that is there, too.
// It loads and stores nothing.
"use strict";
{
  const collator = new Intl.Collator("en", { numeric: true });
  const LINES = new Set(["BR", "TD", "TH", "P", "DT", "DD", "LI"]);
  const FEW = 6; // of fewer rows nobody needs a filter
  const MOST_CHOICES = 300;

  const count = (number) => number.toLocaleString("en");
  const plural = (number, noun) => `${count(number)} ${noun}${number === 1 ? "" : "s"}`;

  function make(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  }

  // What is to be seen of an element, without labels of marks and what only a screen reader tells, so that a search finds words across marks.
  function visible(element) {
    let text = "";
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
      node.nodeType === Node.ELEMENT_NODE && (node.classList.contains("sr") || node.classList.contains("chip"))
        ? NodeFilter.FILTER_REJECT
        : NodeFilter.FILTER_ACCEPT,
    );
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      text += node.nodeType === Node.TEXT_NODE ? node.data : LINES.has(node.tagName) ? " " : "";
    }
    return plain(text);
  }

  function plain(text) {
    return text.normalize("NFKC").replace(/\s+/g, " ").trim().toLowerCase();
  }

  class Texts {
    #texts = new Map();

    of(element) {
      if (!this.#texts.has(element)) this.#texts.set(element, visible(element));
      return this.#texts.get(element);
    }
  }

  // A table: which of its rows are shown, in which order, and how many of them at first.
  class Listing {
    constructor(box) {
      const [home, more] = box.querySelectorAll("table");
      const rows = () => [...home.querySelectorAll(":scope > tbody > tr:not(.group)")];
      this.noun = box.dataset.noun;
      this.open = more ? rows().length : Infinity;
      if (more) {
        home.append(...more.querySelectorAll(":scope > tbody"));
        more.closest("details").remove();
      }
      this.home = home;
      this.rows = rows();
      this.parents = this.rows.map((row) => row.parentNode);
      this.texts = new Texts();
      this.tests = [];
      this.order = null;
      this.isWhole = false;
      this.controls = make("div", { class: "controls" });
      this.status = make("p", { role: "status" });
      this.button = make("button", { type: "button", class: "more" });
      this.button.addEventListener("click", () => {
        this.isWhole = !this.isWhole;
        this.show();
      });
      box.prepend(this.controls, this.status);
      box.append(this.button);
    }

    // Put the rows in their order; without one, in that of the page.
    arrange() {
      const bodies = [...this.home.tBodies];
      if (this.order) {
        bodies[0].append(...[...this.rows].sort(this.order));
      } else {
        this.rows.forEach((row, place) => this.parents[place].append(row));
      }
      this.show();
    }

    show() {
      const rows = this.order ? [...this.rows].sort(this.order) : this.rows;
      let shown = 0;
      for (const row of rows) {
        row.hidden = !this.tests.every((test) => test(row));
        row.classList.toggle("folded", !row.hidden && !this.isWhole && shown >= this.open);
        shown += row.hidden ? 0 : 1;
      }
      this.status.textContent = shown < rows.length ? `${count(shown)} of ${plural(rows.length, this.noun)}` : "";
      this.button.hidden = shown <= this.open;
      this.button.textContent = this.isWhole ? `Show the first ${count(this.open)}` : `Show all ${plural(shown, this.noun)}`;
    }

    addSearch(label) {
      const input = make("input", { type: "search", spellcheck: "false", autocomplete: "off" });
      input.addEventListener("input", () => this.show());
      this.tests.push((row) => input.value === "" || this.texts.of(row).includes(plain(input.value)));
      this.controls.append(make("label", {}, `${label} `, input));
    }

    addSorting() {
      const heads = [...this.home.tHead.rows[0].cells];
      heads.forEach((head, column) => {
        const button = make("button", { type: "button" });
        button.append(...head.childNodes);
        head.append(button);
        button.addEventListener("click", () => {
          const next = { ascending: "descending", descending: "" }[head.ariaSort] ?? "ascending";
          for (const other of heads) other.removeAttribute("aria-sort");
          if (next) head.setAttribute("aria-sort", next);
          this.order = next ? inOrder(column, next === "ascending" ? 1 : -1) : null;
          this.arrange();
        });
      });
    }
  }

  // Compare rows by a column: numbers as such, what is missing last in either direction.
  function inOrder(column, sign) {
    const keys = new Map();
    const key = (row) => {
      if (!keys.has(row)) keys.set(row, keyOf(row.cells[column]));
      return keys.get(row);
    };
    return (one, other) => {
      const [first, second] = [key(one), key(other)];
      if (first === null || second === null) return (first === null) - (second === null);
      if (typeof first === "number" && typeof second === "number") return sign * (first - second);
      return sign * collator.compare(first, second);
    };
  }

  function keyOf(cell) {
    const text = cell.dataset.v ?? cell.textContent.trim();
    if (text === "" || text === "-" || text === "–") return null;
    const number = Number(text.replaceAll(",", "").replaceAll("−", "-"));
    return Number.isNaN(number) ? text : number;
  }

  // The items of a suite, and the choices by which a reader divides them.
  class ItemBox {
    static WORDS = { m: "gate", p: "gold → system", r: "reason", g: "group", d: "document", c: "change" };

    constructor(box) {
      this.box = box;
      this.items = [...box.querySelectorAll(".item")];
      this.folds = [...box.querySelectorAll("details")];
      this.texts = new Texts();
      this.bearing = JSON.parse(box.dataset.measures).map((names) => names.map(pattern));
      this.choices = {};
      this.state = {};
      this.controls = make("form", { class: "controls", role: "search", "aria-label": `Filter the items of ${box.dataset.suite}` });
      for (const key of Object.keys(ItemBox.WORDS)) this.addChoice(key);
      this.input = make("input", { type: "search", spellcheck: "false", autocomplete: "off" });
      this.input.addEventListener("input", () => this.change("q", this.input.value));
      this.status = make("output", { role: "status" });
      this.clear = make("button", { type: "button" }, "show all");
      this.clear.addEventListener("click", () => this.set({}, true));
      this.controls.append(make("label", {}, "text", this.input), this.status, this.clear);
      this.controls.addEventListener("submit", (event) => event.preventDefault());
      box.querySelector("h3").after(this.controls);
      this.show();
    }

    bears(item, measure) {
      const names = this.bearing[item.dataset.b];
      return !names.length || names.some((name) => name.test(measure));
    }

    has(item, key, value) {
      return key === "m" ? this.bears(item, value) : item.dataset[key] === value;
    }

    addChoice(key) {
      const counts = new Map();
      if (key === "m") {
        for (const measure of JSON.parse(this.box.dataset.gated)) {
          counts.set(measure, this.items.filter((item) => this.bears(item, measure)).length);
        }
      } else {
        for (const item of this.items) {
          const value = item.dataset[key];
          if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
        }
      }
      const select = make("select", {}, make("option", { value: "" }, "all"));
      const ordered = key === "m" ? [...counts] : [...counts].sort((one, other) => other[1] - one[1]);
      select.append(...ordered.slice(0, MOST_CHOICES).map(([value, number]) => make("option", { value }, `${value} (${count(number)})`)));
      select.addEventListener("change", () => this.change(key, select.value));
      this.choices[key] = select;
      if (counts.size > (key === "m" ? 0 : 1)) this.controls.append(make("label", {}, ItemBox.WORDS[key], select));
    }

    change(key, value) {
      this.set({ ...this.state, [key]: value }, true);
    }

    // Show the items of a state; `isChosen` if the reader chose it here, so that the address has to follow.
    set(state, isChosen = false) {
      this.state = Object.fromEntries(Object.entries(state).filter(([key, value]) => value && (key === "q" || Object.hasOwn(ItemBox.WORDS, key))));
      for (const [key, select] of Object.entries(this.choices)) {
        const value = this.state[key] ?? "";
        if (![...select.options].some((option) => option.value === value)) select.append(make("option", { value }, value));
        select.value = value;
      }
      if (this.input.value !== (this.state.q ?? "")) this.input.value = this.state.q ?? "";
      this.show();
      if (isChosen) {
        const query = new URLSearchParams(this.state).toString();
        history.replaceState(null, "", `#${this.box.id}${query ? `?${query}` : ""}`);
      }
    }

    show() {
      const { q, ...chosen } = this.state;
      const isFiltered = Object.keys(this.state).length > 0;
      const words = plain(q ?? "");
      let shown = 0;
      for (const item of this.items) {
        const fits = Object.entries(chosen).every(([key, value]) => this.has(item, key, value)) && (!words || this.texts.of(item).includes(words));
        item.classList.toggle("hide", !fits);
        shown += fits ? 1 : 0;
      }
      for (const fold of this.folds) {
        const number = fold.querySelectorAll(".item:not(.hide)").length;
        fold.classList.toggle("hide", isFiltered && !number);
        if (isFiltered && number) fold.open = true;
      }
      this.status.textContent = `${count(shown)} of ${plural(this.items.length, "item")}`;
      this.clear.hidden = !isFiltered;
    }
  }

  // A measure's name, or a pattern of names.
  function pattern(name) {
    return new RegExp(`^${name.replace(/[.+^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*").replaceAll("?", ".")}$`, "s");
  }

  const boxes = new Map([...document.querySelectorAll(".itembox")].map((box) => [box.id, new ItemBox(box)]));

  // Show what the address says: open what is folded around it, and filter.
  function follow() {
    let address = location.hash.slice(1);
    try {
      address = decodeURI(address);
    } catch {
      // An address that nobody escaped is taken as it is.
    }
    const [name, query] = [address.split("?", 1)[0], location.hash.split("?")[1]];
    const place = document.getElementById(name);
    const item = place?.closest(".item:not(.hide)");
    for (const [id, box] of boxes) {
      if (id === name && query !== undefined) box.set(Object.fromEntries(new URLSearchParams(query)));
      else if (Object.keys(box.state).length && !box.items.includes(item)) box.set({});
    }
    if (!place) return;
    for (const fold of place.querySelectorAll(":scope > details.inner")) fold.open = true;
    for (let fold = place.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    place.scrollIntoView();
  }

  // A link has its whole address, so that a reader can open it in another tab, or copy it.
  for (const link of document.querySelectorAll("a[data-k]")) {
    link.setAttribute("href", `${link.getAttribute("href")}?${new URLSearchParams({ [link.dataset.k]: link.dataset.v })}`);
  }
  document.addEventListener("click", (event) => {
    const isAgain = event.target.closest("a")?.href === location.href;
    if (isAgain && !event.ctrlKey && !event.metaKey && !event.shiftKey) follow(); // the address stays: nothing else tells of the click
  });
  addEventListener("hashchange", follow);
  if (location.hash) follow();

  for (const box of document.querySelectorAll(".listing")) {
    const listing = new Listing(box);
    if (listing.rows.length >= FEW) listing.addSearch(`Filter ${box.dataset.noun}s`);
    listing.addSorting();
    listing.show();
  }

  // All measures of a suite: a search, made when they are first opened, for there may be very many.
  for (const fold of document.querySelectorAll("details.all")) {
    fold.addEventListener("toggle", () => {
      const rows = [...fold.querySelectorAll("tbody tr:not(.group)")];
      if (fold.querySelector(".controls") || rows.length < FEW) return;
      const texts = new Texts();
      const input = make("input", { type: "search", spellcheck: "false", autocomplete: "off" });
      const status = make("p", { role: "status" });
      input.addEventListener("input", () => {
        const words = plain(input.value);
        let shown = 0;
        for (const row of rows) {
          row.hidden = !texts.of(row).includes(words);
          shown += row.hidden ? 0 : 1;
        }
        for (const head of fold.querySelectorAll("tr.group")) head.hidden = ![...head.parentNode.rows].some((row) => row !== head && !row.hidden);
        status.textContent = `${count(shown)} of ${plural(rows.length, "measure")}`;
      });
      fold.querySelector("summary").after(make("div", { class: "controls" }, make("label", {}, "find a measure", input)), status);
    });
  }

  // The keys n and p lead to the next suite that failed, and back.
  const failed = [...document.querySelectorAll("section.fail")];
  document.addEventListener("keydown", (event) => {
    if (event.target.closest("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key !== "n" && event.key !== "p") return;
    const tops = failed.map((section) => section.getBoundingClientRect().top);
    const next = event.key === "n" ? failed.find((_, place) => tops[place] > 80) : failed.findLast((_, place) => tops[place] < -5);
    next?.scrollIntoView();
  });
}
