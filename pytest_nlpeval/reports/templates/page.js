// Sorts, filters and searches what is on the page; without it all of that is there, too. It loads and stores nothing.
"use strict";
{
  const collator = new Intl.Collator("en", { numeric: true });
  const LINES = new Set(["BR", "TD", "TH", "P", "DT", "DD", "LI"]);
  const FEW = 6; // of fewer rows nobody needs a filter

  const count = (number) => number.toLocaleString("en");
  const plural = (number, noun) => `${count(number)} ${noun}${number === 1 ? "" : "s"}`;

  function make(name, attributes = {}, ...children) {
    const found = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) found.setAttribute(key, value);
    found.append(...children);
    return found;
  }

  // What is to be seen of an element, without what only a screen reader tells, so that a search finds words across marks.
  function visible(element) {
    let found = "";
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
      node.nodeType === Node.ELEMENT_NODE && node.classList.contains("sr") ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
    );
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      found += node.nodeType === Node.TEXT_NODE ? node.data : LINES.has(node.tagName) ? " " : "";
    }
    return plain(found);
  }

  function plain(text) {
    return text.normalize("NFKC").replace(/\s+/g, " ").trim().toLowerCase();
  }

  // A table, or a list: which of its rows are shown, in which order, and how many of them at first.
  class Listing {
    constructor(box) {
      const [home, more] = box.querySelectorAll("table, ol");
      const rows = () => [...home.querySelectorAll(":scope > tbody > tr:not(.group), :scope > li")];
      this.noun = box.dataset.noun;
      this.open = more ? rows().length : Infinity;
      if (more) {
        home.append(...more.querySelectorAll(":scope > tbody, :scope > li"));
        more.closest("details").remove();
      }
      this.home = home;
      this.rows = rows();
      this.parents = this.rows.map((row) => row.parentNode);
      this.texts = new Map();
      this.tests = [];
      this.order = null;
      this.isWhole = false;
      this.controls = make("div", { class: "controls" });
      this.status = make("p", { role: "status", class: "dim" });
      this.button = make("button", { type: "button", class: "more" });
      this.button.addEventListener("click", () => {
        this.isWhole = !this.isWhole;
        this.show();
      });
      box.prepend(this.controls, this.status);
      box.append(this.button);
    }

    text(row) {
      if (!this.texts.has(row)) this.texts.set(row, visible(row));
      return this.texts.get(row);
    }

    // Put the rows in their order; without one, in that of the page, with the heads of groups.
    arrange() {
      const bodies = [...this.home.tBodies];
      if (this.order) {
        bodies[0].append(...[...this.rows].sort(this.order));
      } else {
        this.rows.forEach((row, place) => this.parents[place].append(row));
      }
      bodies.forEach((body, place) => (body.hidden = this.order !== null && place > 0));
      this.show();
    }

    show() {
      const rows = this.order ? [...this.rows].sort(this.order) : this.rows;
      let found = 0;
      for (const row of rows) {
        row.hidden = !this.tests.every((test) => test(row));
        row.classList.toggle("folded", !row.hidden && !this.isWhole && found >= this.open);
        found += row.hidden ? 0 : 1;
      }
      for (const head of this.home.querySelectorAll("tr.group")) {
        const members = [...head.parentNode.children].slice(1);
        head.hidden = this.order !== null || members.every((row) => row.hidden);
        head.classList.toggle("folded", members.every((row) => row.hidden || row.classList.contains("folded")));
      }
      this.status.textContent = found < rows.length ? `${count(found)} of ${plural(rows.length, this.noun)}` : "";
      this.button.hidden = found <= this.open;
      this.button.textContent = this.isWhole ? `Show the first ${count(this.open)}` : `Show all ${plural(found, this.noun)}`;
    }

    addSearch(label) {
      const input = make("input", { type: "search", spellcheck: "false", autocomplete: "off" });
      input.addEventListener("input", () => this.show());
      this.tests.push((row) => input.value === "" || this.text(row).includes(plain(input.value)));
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

    // A checkbox for each value that rows have of something, with the number of such rows.
    addChoices(name, legend) {
      const counts = new Map();
      for (const row of this.rows) {
        const value = row.dataset[name];
        if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
      }
      if (counts.size < 2) return;
      const hidden = new Set();
      const labels = [...counts].map(([value, number]) => {
        const box = make("input", { type: "checkbox", checked: "" });
        box.addEventListener("change", () => {
          if (box.checked) hidden.delete(value);
          else hidden.add(value);
          this.show();
        });
        return make("label", {}, box, ` ${value} (${count(number)})`);
      });
      this.tests.push((row) => !hidden.has(row.dataset[name]));
      this.controls.append(make("fieldset", {}, make("legend", {}, legend), ...labels));
    }

    // A choice of one document; the return value chooses one.
    addDocuments() {
      const counts = new Map();
      for (const row of this.rows) counts.set(row.dataset.case, (counts.get(row.dataset.case) ?? 0) + 1);
      if (counts.size < 2) return null;
      const select = make("select", {}, make("option", { value: "" }, "all"));
      const names = [...counts.keys()].sort(collator.compare);
      select.append(...names.map((name, place) => make("option", { value: place + 1 }, `${name} (${count(counts.get(name))})`)));
      select.addEventListener("change", () => this.show());
      this.tests.push((row) => select.value === "" || names[select.value - 1] === row.dataset.case);
      this.controls.append(make("label", {}, "Document ", select));
      return {
        has: (name) => counts.has(name),
        choose: (name) => {
          select.value = names.indexOf(name) + 1;
          this.show();
          select.focus();
          select.scrollIntoView({ block: "center" });
        },
      };
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
    if (text === "" || text === "-") return null;
    const number = Number(text.replaceAll(",", ""));
    return Number.isNaN(number) ? text : number;
  }

  for (const section of document.querySelectorAll("main section")) {
    let documents = null;
    const tables = [];
    for (const box of section.querySelectorAll(".listing")) {
      const listing = new Listing(box);
      if (listing.rows.length >= FEW) listing.addSearch(box.querySelector("ol") ? "Search" : `Filter ${box.dataset.noun}s`);
      if (box.querySelector("ol")) {
        listing.addChoices("kind", "Kind");
        listing.addChoices("change", "Change");
        documents = listing.addDocuments();
      } else {
        listing.addSorting();
        tables.push(listing);
      }
      listing.show();
    }
    // A document's number of explanations leads to them.
    for (const row of tables.flatMap((table) => table.rows)) {
      if (row.dataset.case === undefined || !documents?.has(row.dataset.case)) continue;
      const cell = row.querySelector("td.explained");
      const button = make("button", { type: "button", "aria-label": `${cell.textContent} explanations of ${row.dataset.case}` }, cell.textContent);
      button.addEventListener("click", () => documents.choose(row.dataset.case));
      cell.replaceChildren(button);
    }
  }
}
