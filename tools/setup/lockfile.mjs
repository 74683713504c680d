// Is package-lock.json complete? npm leaves out optional packages of other platforms that the registry did not serve
// when the lockfile was written, and `npm ci` then refuses it everywhere.

/** Optional packages that some package names and the lockfile lacks: `[{ name, range, parent, dev }]`. */
export function missingOptionals(lock) {
  const missing = new Map();
  for (const [path, entry] of Object.entries(lock.packages)) {
    for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
      if (!isLocked(lock.packages, path, name)) missing.set(name, { name, range, parent: path, dev: entry.dev === true });
    }
  }
  return [...missing.values()];
}

/** Node looks for a package beside the one that wants it, then one folder up, and so on. */
function isLocked(packages, path, name) {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    if (packages[folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`]) return true;
    if (folder === '') return false;
  }
}

const SYSTEMS = ['darwin', 'linux', 'win32', 'freebsd', 'android', 'openharmony', 'wasm32'];
const PROCESSORS = ['arm64', 'x64', 'ia32', 'arm', 'ppc64', 's390x', 'riscv64', 'loong64'];

/** The lockfile with an entry for each missing package of an exact version; its name contains the platform. */
export function completed(lock) {
  const packages = { ...lock.packages };
  for (const { name, range, dev } of missingOptionals(lock)) {
    if (!/^\d+\.\d+\.\d+/.test(range)) continue;
    const words = name.split(/[/-]/);
    const os = SYSTEMS.filter((system) => words.includes(system));
    const cpu = PROCESSORS.filter((processor) => words.includes(processor));
    packages[`node_modules/${name}`] = {
      version: range,
      ...(cpu.length > 0 ? { cpu } : {}),
      ...(dev ? { dev } : {}),
      optional: true,
      ...(os.length > 0 ? { os } : {}),
    };
  }
  const [root, ...others] = Object.entries(packages);
  return { ...lock, packages: Object.fromEntries([root, ...others.sort(([a], [b]) => a.localeCompare(b, 'en'))]) };
}
