import { inspectIsolation } from './isolation';

/** Stands before whoever serves: on a database that does not keep workspaces apart nothing starts. */
export async function demandIsolation(runtimeUrl: string): Promise<void> {
  const faults = await inspectIsolation(runtimeUrl);
  if (faults.length > 0)
    throw new Error(
      `This database does not keep workspaces apart, so the service does not start:\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
    );
}
