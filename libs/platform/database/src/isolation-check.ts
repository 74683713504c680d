import { inspectIsolation } from './isolation';

/** Runs before a host starts: on a database that does not isolate workspaces nothing starts. */
export async function demandIsolation(runtimeUrl: string): Promise<void> {
  const faults = await inspectIsolation(runtimeUrl);
  if (faults.length > 0)
    throw new Error(
      `This database does not isolate workspaces, so the service does not start:\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
    );
}
