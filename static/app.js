// Small helps. Every page works without this file.
"use strict";

// After a swap that the person asked for, htmx answers that carry an error page say so instead of vanishing.
document.addEventListener("htmx:responseError", (event) => {
  const status = event.detail.xhr.status;
  const text = { 0: "The server could not be reached.", 403: "Your role does not include this.", 404: "This is no longer there.", 405: "This cannot be done here.", 413: "That is too large." }[status];
  say(`${text || "The server could not answer."} Nothing was changed.`);
});
document.addEventListener("htmx:sendError", () => say("The server could not be reached. Nothing was changed."));

// What was said of a failed request is over with the next one that is answered.
document.addEventListener("htmx:afterRequest", (event) => {
  const status = event.detail.xhr.status;
  if (status >= 200 && status < 400) document.querySelector("#messages [data-until-answered]")?.remove();
});

function say(text) {
  const place = document.getElementById("messages");
  if (!place) return;
  const list = document.createElement("ul");
  const item = document.createElement("li");
  list.className = "messages";
  list.dataset.untilAnswered = "yes";
  item.className = "error";
  item.textContent = text;
  list.append(item);
  place.replaceChildren(list);
}

// Signing in again in another tab renews the token that every form carries; take the cookie's, so that an open page stays good.
function token() {
  const start = `${document.body.dataset.csrfCookie}=`;
  const cookie = document.cookie.split("; ").find((pair) => pair.startsWith(start));
  return cookie ? cookie.slice(start.length) : "";
}
document.addEventListener("htmx:configRequest", (event) => {
  const { parameters, headers, verb } = event.detail;
  if (verb === "get" || !token()) return;
  headers["X-CSRFToken"] = token();
  if (parameters.csrfmiddlewaretoken) parameters.csrfmiddlewaretoken = token();
});
document.addEventListener("submit", (event) => {
  const field = event.target.elements.namedItem("csrfmiddlewaretoken");
  if (field && token()) field.value = token();
}, true);

// A form that is on its way is not sent a second time by a second click.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.method !== "post" || form.target) return;
  if (form.dataset.sent) {
    event.preventDefault();
    return;
  }
  form.dataset.sent = "yes";
});
window.addEventListener("pageshow", () => document.querySelectorAll("form[data-sent]").forEach((form) => delete form.dataset.sent));

// A select or checkbox marked data-submit sends its form when it changes; its button can then be hidden.
document.addEventListener("change", (event) => {
  const field = event.target.closest("[data-submit]");
  if (field && field.form) field.form.requestSubmit();
});
document.querySelectorAll("[data-without-script]").forEach((element) => { element.hidden = true; });

// Leaving a form marked data-guard with unsaved edits is asked about.
document.addEventListener("input", (event) => {
  const form = event.target.closest("form[data-guard]");
  if (form) form.dataset.edited = "yes";
});
window.addEventListener("beforeunload", (event) => {
  if (document.querySelector("form[data-guard][data-edited]:not([data-sent])")) event.preventDefault();
});
