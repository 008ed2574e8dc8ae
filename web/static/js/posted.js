// Gives the answer to a form the address of a page that can be opened again, so that going back sends no form twice.
"use strict";
(() => {
  const posted = document.querySelector('meta[name="posted"]');
  if (posted) history.replaceState(null, "", posted.content);
})();
