// node [flags] code-cache.cjs <dist>: what V8 makes of the bundle when every host is loaded, kept for starts with the same flags.
const { renameSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const { openBundle } = require(join(process.argv[2], 'apps/launch/bundle.js'));
const { script, hosts, codeCache } = openBundle();
for (const load of Object.values(hosts)) load();
const draft = `${codeCache}.${process.pid}`;
writeFileSync(draft, script.createCachedData());
// A process that starts at the same time never finds half of it.
renameSync(draft, codeCache);
process.exit();
