// The queue of a review by keyboard. Each key is that of a button or link with `aria-keyshortcuts`, and presses it:
// whatever the keys do, the mouse does too, and without this file the same buttons and links do it.
"use strict";

(() => {
  const queue = document.getElementById("queue");
  if (!queue) return;
  const dialog = document.getElementById("keys");
  const OFF = "review-keys-off"; // kept in this browser: single keys can get in the way of speech input
  const chosen = new Set(); // ids of entries, over all pages of the list
  let waiting = false; // for an answer: a key now would be meant for what is not shown yet

  // Keys
  function keysOff() {
    try { return localStorage.getItem(OFF) === "yes"; } catch { return false; }
  }
  function typing(element) {
    return element.closest("textarea, select, [contenteditable], input:not([type=checkbox], [type=radio])");
  }
  function pressed(key) {
    const name = key === " " ? "Space" : key;
    return [...document.querySelectorAll("[aria-keyshortcuts]")].find((element) => element.getAttribute("aria-keyshortcuts").split(" ").includes(name) && element.checkVisibility());
  }
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    if (document.querySelector("dialog[open]")) return;
    if (event.key === "Escape") {
      const opened = document.querySelector("#queue details.act[open]");
      if (!opened) return;
      opened.open = false;
      opened.querySelector("summary").focus();
      event.preventDefault();
      return;
    }
    if (event.key.length !== 1 || typing(event.target) || (keysOff() && event.key !== "?")) return;
    const element = pressed(event.key);
    if (!element) return;
    event.preventDefault();
    if (waiting || (event.repeat && !element.matches("[data-may-repeat]"))) return;
    press(element);
  });
  function press(element) {
    if (!element.matches("summary")) return element.click();
    const act = element.parentElement;
    act.open = true;
    const field = act.querySelector("form :is(input:not([type=hidden]), select, textarea)");
    (field || element).focus();
  }

  // What is typed for an entry and not sent, by the address of its form: kept while the page is open, nowhere but here
  const typed = new Map(); // to {fields: values by name, settled: whether the entry was decided otherwise since}
  let person = queue.dataset.person;
  const ONE = "#queue .now form.form[hx-post]";
  function addressOf(form) { return form.getAttribute("hx-post").split("?")[0]; }
  function fieldsOf(form) { return [...form.querySelectorAll("input:not([type=hidden]), textarea, select")]; }
  function mark(form) {
    const summary = form.closest("details.act")?.querySelector("summary");
    if (!summary) return;
    summary.querySelector(".unsent")?.remove();
    if (!typed.has(addressOf(form))) return;
    const note = document.createElement("span");
    note.className = "unsent";
    note.textContent = " not sent";
    summary.append(note);
  }
  function keep(form) {
    const fields = Object.fromEntries(fieldsOf(form).map((field) => [field.name, field.value]));
    if (Object.values(fields).some((value) => value.trim())) typed.set(addressOf(form), { fields, settled: false });
    else typed.delete(addressOf(form));
    mark(form);
  }
  function giveBack() {
    const now = document.getElementById("queue")?.dataset.person;
    if (now && now !== person) { typed.clear(); person = now; } // somebody else signed in, in another window
    document.querySelectorAll(ONE).forEach((form) => {
      const kept = typed.get(addressOf(form));
      if (kept) fieldsOf(form).forEach((field) => { if (field.name in kept.fields) field.value = kept.fields[field.name]; });
      mark(form);
    });
  }
  function decidedBy(address) { return address.match(/^(.*)\/(decide|defer)\//)?.[1]; } // the entry, where it decides one
  function sent(form) {
    const entry = decidedBy(addressOf(form));
    typed.delete(addressOf(form));
    typed.forEach((kept, address) => { if (entry && decidedBy(address) === entry) kept.settled = true; });
  }
  ["input", "change"].forEach((kind) => document.addEventListener(kind, (event) => {
    const form = event.target.closest(ONE);
    if (form) keep(form);
  }));
  document.addEventListener("htmx:beforeOnLoad", (event) => { // before what is kept is given back to the answer
    const { xhr, requestConfig: { verb, elt } } = event.detail;
    const done = xhr.status < 400 && !xhr.getResponseHeader("HX-Redirect"); // which leads away where the review is closed
    if (done && verb === "post" && elt.matches("form[hx-post]")) sent(elt);
  });
  document.addEventListener("click", (event) => {
    const drop = event.target.closest("[data-drops]");
    if (drop) typed.delete(drop.dataset.drops);
  });
  document.addEventListener("htmx:historyRestore", giveBack);
  window.addEventListener("beforeunload", (event) => {
    if ([...typed.values()].some((kept) => !kept.settled)) event.preventDefault();
  });
  window.addEventListener("pagehide", () => {
    typed.clear(); // who comes back to the page may be somebody else
    document.querySelectorAll(ONE).forEach((form) => form.reset());
  });

  // What is swapped: where the focus goes, and what stays ticked
  document.addEventListener("htmx:beforeRequest", (event) => { if (event.detail.target.id === "queue") waiting = true; });
  document.addEventListener("htmx:afterRequest", (event) => { if (event.detail.target.id === "queue") waiting = false; });
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.target.id !== "queue") return;
    giveBack();
    tick();
    const first = document.querySelector("#queue [data-attention]") || document.querySelector("#queue .now [aria-invalid=true]") || document.getElementById("now") || document.querySelector("#queue .empty a");
    const from = event.detail.requestConfig.elt;
    if (first && !from.matches("#review-filters")) {
      first.focus({ preventScroll: true });
      (first.closest(".now, [data-attention]") || first).scrollIntoView({ block: "nearest" });
    }
  });

  // Ticked entries
  function boxes() { return [...document.querySelectorAll("#queue input[name=entry]")]; }
  function tick() {
    const here = boxes();
    here.forEach((box) => { if (chosen.has(box.value)) box.checked = true; });
    const form = document.getElementById("together");
    if (!form) return;
    form.querySelectorAll("input[data-elsewhere]").forEach((input) => input.remove());
    const shown = new Set(here.map((box) => box.value));
    chosen.forEach((id) => {
      if (shown.has(id)) return;
      const input = document.createElement("input");
      Object.assign(input, { type: "hidden", name: "entry", value: id });
      input.dataset.elsewhere = "yes";
      form.append(input);
    });
    form.querySelector("[data-ticked]").textContent = chosen.size ? `${chosen.size} ticked` : "none ticked";
  }
  document.addEventListener("change", (event) => {
    const box = event.target;
    if (box.matches("#queue input[name=entry]")) {
      if (box.checked) chosen.add(box.value); else chosen.delete(box.value);
      tick();
    } else if (box.matches("#queue input[data-all]")) {
      boxes().filter((one) => box.dataset.all === "" || one.dataset.group === box.dataset.all).forEach((one) => {
        one.checked = box.checked;
        if (box.checked) chosen.add(one.value); else chosen.delete(one.value);
      });
      tick();
    }
  });
  boxes().forEach((box) => { if (box.checked) chosen.add(box.value); });
  tick();

  // The list of keys
  const off = document.getElementById("keys-off");
  if (dialog && off) {
    off.checked = keysOff();
    off.addEventListener("change", () => {
      try { if (off.checked) localStorage.setItem(OFF, "yes"); else localStorage.removeItem(OFF); } catch { /* not kept */ }
    });
    document.addEventListener("click", (event) => {
      if (!event.target.closest("[data-keys]")) return;
      event.preventDefault();
      dialog.showModal();
    });
  }
})();
