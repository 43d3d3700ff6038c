// The page reads without this. It switches between light and dark, and opens folded tables for print.
(function () {
  "use strict";
  var root = document.documentElement;
  var button = document.getElementById("theme");
  var wanted = /theme=(dark|light)/.exec(location.hash);

  function dark() {
    return root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  }
  function label() {
    button.textContent = dark() ? "Light" : "Dark";
    button.setAttribute("aria-label", button.textContent + " theme");
  }
  if (wanted) {
    root.dataset.theme = wanted[1];
  }
  button.hidden = false;
  button.addEventListener("click", function () {
    root.dataset.theme = dark() ? "light" : "dark";
    label();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", label);
  label();

  var opened = [];
  addEventListener("beforeprint", function () {
    opened = [].slice.call(document.querySelectorAll("details:not([open])"));
    opened.forEach(function (d) { d.open = true; });
  });
  addEventListener("afterprint", function () {
    opened.forEach(function (d) { d.open = false; });
  });
  // A link into a folded table opens it.
  function reveal() {
    var target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    var folded = target && target.closest("details");
    if (folded) {
      folded.open = true;
      target.scrollIntoView({ block: "center" });
    }
  }
  addEventListener("hashchange", reveal);
  reveal();
})();
