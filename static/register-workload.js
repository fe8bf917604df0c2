// The form of a workload, improved: line numbers, files read in the page, prefilled fields, links that jump to a line.
"use strict";

(() => {
  const form = document.getElementById("workload-form");
  const preview = document.getElementById("preview");
  if (!form || !preview) return;
  const sheets = () => document.getElementById("sheets");
  const material = () => document.getElementById("material");
  const every = () => [...form.querySelectorAll(".sheet")];
  const texts = () => every().map((sheet) => sheet.querySelector("textarea"));
  const HEAVY = 500_000; // characters: beyond, the preview is asked for by button

  // Line numbers beside each text, scrolled along with it.
  function number(text) {
    const editor = text.closest(".editor");
    let gutter = editor.querySelector(".gutter");
    if (!gutter) {
      gutter = document.createElement("pre");
      gutter.className = "gutter";
      gutter.setAttribute("aria-hidden", "true");
      editor.prepend(gutter);
      editor.classList.add("numbered");
      text.addEventListener("scroll", () => { gutter.scrollTop = text.scrollTop; });
    }
    const lines = text.value.split("\n").length;
    if (Number(gutter.dataset.lines) !== lines) {
      gutter.textContent = Array.from({ length: lines }, (_, n) => n + 1).join("\n") + "\n\n";
      gutter.dataset.lines = lines;
    }
    gutter.scrollTop = text.scrollTop;
  }
  form.addEventListener("input", (event) => {
    if (!event.target.closest(".sheet")) return;
    if (event.target.matches("textarea")) number(event.target);
    if (material().contains(event.target)) another();
  });
  texts().forEach(number);
  // What was pasted before this page listened, or put back by the browser, is looked at as if it were typed now.
  document.addEventListener("DOMContentLoaded", () => {
    texts().find((text) => text.value !== text.defaultValue)?.dispatchEvent(new Event("input", { bubbles: true }));
  });

  // Above the limit typing alone asks for nothing.
  preview.addEventListener("htmx:configRequest", (event) => {
    if (event.detail.elt !== preview) return;
    const heavy = texts().reduce((sum, text) => sum + text.value.length, 0) > HEAVY;
    form.querySelector("[data-heavy]").hidden = !heavy;
    if (heavy) event.preventDefault();
  });

  // What was detected goes into fields that are empty or still hold what was detected before.
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.target !== preview) texts().forEach(number);
    preview.querySelectorAll("[data-detected]").forEach((found) => {
      const field = form.elements.namedItem(found.dataset.detected);
      const before = form.elements.namedItem(`detected_${found.dataset.detected}`);
      if (!field || !before) return;
      const own = field.value !== "" && field.value !== before.value;
      if (own) before.value = "";
      else if (document.activeElement !== field) field.value = before.value = found.value;
      found.remove();
    });
    texts().forEach(number);
  });

  // A link to a line of a text selects that line.
  function find(name, anchor) {
    const named = every().find((sheet) => sheet.querySelector("input").value.split(/[\\/]/).pop() === name);
    const unnamed = every().find((sheet) => !sheet.querySelector("input").value && sheet.querySelector("textarea").value.trim());
    return (named || unnamed)?.querySelector("textarea") || document.querySelector(anchor);
  }
  preview.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-line]");
    const text = link && find(link.dataset.file, link.getAttribute("href"));
    if (!text) return;
    event.preventDefault();
    const lines = text.value.split("\n");
    const wanted = Math.min(Number(link.dataset.line), lines.length) - 1;
    const start = lines.slice(0, wanted).reduce((sum, line) => sum + line.length + 1, 0);
    text.focus({ preventScroll: true });
    text.setSelectionRange(start, start + lines[wanted].length);
    text.scrollTop = Math.max(0, (wanted - 4) * parseFloat(getComputedStyle(text).lineHeight));
    text.scrollLeft = 0;
    number(text);
    text.closest(".sheet").scrollIntoView({ block: "nearest" });
  });

  // Chosen and dropped files are read here, so that their texts can be edited. What is no UTF-8 text is left to the server.
  const uploads = form.elements.namedItem("uploads");
  const sources = form.elements.namedItem("source_uploads");
  let count = 0;
  const isEmpty = (sheet) => sheet.querySelector("textarea").value.trim() === "";
  function add(place) {
    const template = document.getElementById(place === material() ? "source-template" : "sheet-template");
    const sheet = template.content.firstElementChild.cloneNode(true);
    count += 1;
    sheet.querySelector("textarea").id = `text-added-${count}`;
    sheet.querySelector("input").id = `name-added-${count}`;
    sheet.querySelector("label").htmlFor = `name-added-${count}`;
    place.append(sheet);
    return sheet;
  }
  // One empty text is always there to paste the next source file into.
  function another() {
    if (![...material().querySelectorAll(".sheet")].some(isEmpty)) number(add(material()).querySelector("textarea"));
  }
  // The server decides what a file is; by its name most of them are put where they will stay.
  const isCode = (name) => /(require|constraint)[^/]*\.txt$|^(dockerfile|containerfile|makefile|pipfile)/i.test(name) || (/\./.test(name) && !/\.(ya?ml|json|tpl|tmpl|txt)$/i.test(name));
  function put(name, content, among) {
    const place = among === material() || isCode(name) ? material() : sheets();
    const same = every().find((sheet) => sheet.querySelector("input").value === name);
    const sheet = same || [...place.querySelectorAll(".sheet")].find(isEmpty) || add(place);
    sheet.querySelector("input").value = name;
    const text = sheet.querySelector("textarea");
    text.setAttribute("aria-label", `Text of ${name}`);
    text.value = content;
    number(text);
    if (place === material()) another();
  }
  async function take(files, input) {
    const left = new DataTransfer();
    const decoder = new TextDecoder("utf-8", { fatal: true });
    for (const file of files) {
      try {
        if (file.size > 5_000_000) throw new RangeError("the server says what the limit is");
        const content = decoder.decode(await file.arrayBuffer());
        if (content.includes("\0")) throw new TypeError("binary");
        if (/\.ipynb$/i.test(file.name)) throw new TypeError("the server takes the code out of it");
        put(file.name, content, input === sources ? material() : sheets());
      } catch {
        left.items.add(file);
      }
    }
    input.files = left.files;
    form.dispatchEvent(new Event("input", { bubbles: true }));
  }
  uploads.addEventListener("change", () => take([...uploads.files], uploads));
  sources.addEventListener("change", () => take([...sources.files], sources));
  form.addEventListener("dragover", (event) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    form.classList.add("dropping");
  });
  form.addEventListener("dragleave", () => form.classList.remove("dropping"));
  form.addEventListener("drop", (event) => {
    if (!event.dataTransfer.files.length) return;
    event.preventDefault();
    form.classList.remove("dropping");
    take([...event.dataTransfer.files], material().closest("fieldset").contains(event.target) ? sources : uploads);
  });
})();
