// What the two commands say while they work: a line a step, with its time.

const started = performance.now();
const tty = process.stdout.isTTY === true;

export const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(1)} s`;
export const sinceStart = () => seconds(performance.now() - started);
export const say = (text = '') => process.stdout.write(`${text}\n`);

/** What is being done, in the order it was begun: several steps may run beside one another. */
const running = new Set();

/** Runs `work` and prints `✓ title  1.2 s`, followed by the remark that `work` may return as `{ remark }`. */
export async function step(title, work) {
  const from = performance.now();
  running.add(title);
  if (tty) process.stdout.write(`\r\x1b[2K${underWay()}`);
  try {
    const result = await work();
    report('✓', title, from, result?.remark);
    return result;
  } catch (error) {
    report('✗', title, from);
    throw error;
  }
}

function report(mark, title, from, remark) {
  running.delete(title);
  const line = `  ${mark} ${title.padEnd(34)} ${seconds(performance.now() - from).padStart(7)}${remark ? `   ${remark}` : ''}`;
  process.stdout.write(tty ? `\r\x1b[2K${line}\n${underWay()}` : `${line}\n`);
}

const underWay = () => (running.size > 0 ? `  … ${[...running].join(', ')}` : '');
