// After jest's last test: the server that this run started goes.
export default async function stopPostgres() {
  await globalThis.atriumTestPostgres?.stop();
}
