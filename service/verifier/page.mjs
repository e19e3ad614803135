// The page: files in, verdicts out, and nothing leaves the browser.

import { MODULES } from "./modules.mjs";
import { articleOf, element, sentence } from "./telling.mjs";
import { CHECKED, NOT_CHECKED, verify } from "./verify.mjs";

const find = (id) => document.getElementById(id);
const drop = find("drop");
const input = find("file");
const status = find("status");
const verdicts = find("verdicts");

/** Let the browser draw what it has before the work goes on. */
const drawn = () => new Promise((resolve) => setTimeout(resolve));

async function verifyFiles(files) {
  const said = [];
  verdicts.replaceChildren();
  for (const file of files) {
    status.textContent = `Verifying ${file.name} …`;
    await drawn();
    try {
      const verdict = verify(new Uint8Array(await file.arrayBuffer()));
      verdicts.append(articleOf(file.name, verdict));
      said.push(sentence(file.name, verdict));
    } catch (error) {
      said.push(`${file.name}: it cannot be read (${error.message}).`);
    }
  }
  status.textContent = said.join(" ");
}

input.addEventListener("change", async () => {
  const files = [...input.files];
  // The same file can be chosen again once the choice is forgotten.
  input.value = "";
  await verifyFiles(files);
});

for (const type of ["dragenter", "dragover"]) {
  document.addEventListener(type, (event) => {
    event.preventDefault();
    drop.classList.add("over");
  });
}
document.addEventListener("dragleave", (event) => {
  if (event.relatedTarget === null) drop.classList.remove("over");
});
document.addEventListener("drop", async (event) => {
  event.preventDefault();
  drop.classList.remove("over");
  const files = [...event.dataTransfer.files];
  if (files.length > 0) await verifyFiles(files);
});

const items = (texts) => texts.map((text) => element("li", {}, text));
find("checked").append(...items(CHECKED));
find("not-checked").append(...items(NOT_CHECKED));
find("modules").append(...MODULES.map((name) => element("li", {}, element("a", { href: `./${name}` }, name))));
