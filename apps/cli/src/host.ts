import { runCli } from './cli';

/** Runs the command line of this process; its exit code is that of the command. */
export function start(): void {
  void runCli(process.argv.slice(2), process).then((code) => (process.exitCode = code));
}
