// Lines that a person types or a script pipes, each behind a prompt.
import { createInterface } from 'node:readline';

/** Reads lines one by one; on a terminal what is typed is shown and can be edited, elsewhere the line is repeated behind its prompt. */
export function lineReader({ input, output, terminal }) {
  const reader = createInterface({ input, output: terminal ? output : undefined, terminal });
  // In raw mode the terminal does not end the program by itself.
  reader.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  const lines = reader[Symbol.asyncIterator]();
  return {
    /** The next line without the blanks around it; '' at the end of the input. */
    async next(prompt) {
      const at = prompt.lastIndexOf('\n') + 1;
      output.write(prompt.slice(0, at));
      // Readline draws the prompt again with every key, so it has to know it.
      if (terminal) {
        reader.setPrompt(prompt.slice(at));
        reader.prompt();
      } else output.write(prompt.slice(at));
      const { value = '' } = await lines.next();
      if (!terminal) output.write(`${value}\n`);
      return value.trim();
    },
    close: () => reader.close(),
  };
}
