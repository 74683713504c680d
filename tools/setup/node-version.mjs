// The first import of every command: a Node that is too old is named before anything fails for reasons of its own.

const OLDEST = [20, 19];

/** Why this version of Node will not do, as a sentence; null when it will. */
export function refusalOf(version) {
  const [major, minor] = version.replace(/^v/, '').split('.').map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return null;
  return `Atrium needs Node ${OLDEST.join('.')} or later; this is ${version}.`;
}

const refusal = refusalOf(process.version);
if (refusal) {
  console.error(refusal);
  process.exit(1);
}
