// node tools/setup/complete-lockfile.mjs: after `npm install`, names the packages of every platform in package-lock.json.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../project.mjs';
import { completed, missingOptionals } from './lockfile.mjs';

const file = join(projectRoot, 'package-lock.json');
const lock = JSON.parse(readFileSync(file, 'utf8'));
const result = completed(lock);
writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`);
console.log(
  `${missingOptionals(lock).length - missingOptionals(result).length} packages added, ${missingOptionals(result).length} still missing.`,
);
