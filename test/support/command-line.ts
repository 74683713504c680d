import { Readable } from 'node:stream';
import { runCli } from '../../apps/cli/src/cli';

/** How a command ended: its exit code, and what it said on standard output and standard error. */
export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly complaint: string;
}

export interface Given {
  /** Standard input. */
  readonly input?: string;
  /** Settings other than those of the test; with them commands run one after the other, for they are those of the process in the meantime. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs one command line within this process, on the database and settings of the test. */
export async function commandLine(words: readonly string[], { input = '', env = {} }: Given = {}): Promise<Ended> {
  const said = { out: '', complaint: '' };
  const before = { ...process.env };
  Object.assign(process.env, env);
  try {
    const code = await runCli(words, {
      stdin: Readable.from([input]),
      stdout: { write: (text) => (said.out += text) },
      stderr: { write: (text) => (said.complaint += text) },
    });
    return { code, ...said };
  } finally {
    for (const name of Object.keys(env)) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  }
}
