// The answer to a form takes the address of a page that can be opened again: the way back sends no form a second time.
"use strict";
(() => {
  const posted = document.querySelector('meta[name="posted"]');
  if (posted) history.replaceState(null, "", posted.content);
})();
