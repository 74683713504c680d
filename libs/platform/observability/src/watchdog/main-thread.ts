import { Session, type Debugger } from 'node:inspector';
import { WORK_AT_HAND, type WorkAtHand } from './work-at-hand';

/** Code that blocks the event loop, caught in the middle. */
export interface Caught {
  readonly stack: readonly string[];
  readonly work: WorkAtHand | null;
}

const MOST_FRAMES = 20;
const EXIT_MS = 200;
const RESUME_MS = 1_000;

/**
 * The main thread as its debugger sees it. Native code cannot be paused: what is caught then is the code that called it, when it
 * returns, or nothing in time.
 */
export class MainThread {
  /** Pauses the running code for a moment, to read where it is and whose work it does. Undefined when it does not pause in time. */
  async catchRunning(withinMs: number): Promise<Caught | undefined> {
    return this.whilePaused(withinMs, async (session, frames, scripts) => ({
      stack: frames.slice(0, MOST_FRAMES).map((frame) => placeOf(frame, scripts)),
      work: await evaluate(session, frames, WORK_AT_HAND).then(workOf, () => null),
    }));
  }

  /** Ends the process from within, so that it exits with the code: it does as soon as this debugger has left. */
  async exitProcess(code: number, withinMs: number): Promise<void> {
    await this.whilePaused(withinMs, (session, frames) => {
      evaluate(session, frames, `process.reallyExit(${code})`).catch(() => undefined);
      return new Promise((resolve) => setTimeout(resolve, EXIT_MS));
    });
  }

  private whilePaused<T>(
    withinMs: number,
    read: (session: Session, frames: readonly Debugger.CallFrame[], scripts: ReadonlyMap<string, string>) => Promise<T>,
  ): Promise<T | undefined> {
    const session = new Session();
    session.connectToMainThread();
    const scripts = new Map<string, string>();
    session.on('Debugger.scriptParsed', ({ params }) => scripts.set(params.scriptId, params.url));
    return new Promise<T | undefined>((resolve) => {
      const timer = setTimeout(() => resolve(undefined), withinMs);
      session.once('Debugger.paused', ({ params }) => {
        read(session, params.callFrames, scripts)
          .catch(() => undefined)
          .then((answer) => {
            clearTimeout(timer);
            // Left while it is still paused, the thread would show this pause to the next session as if it were its own.
            session.once('Debugger.resumed', () => resolve(answer));
            setTimeout(() => resolve(answer), RESUME_MS);
            session.post('Debugger.resume');
          })
          .catch(() => resolve(undefined));
      });
      session.post('Debugger.enable');
      session.post('Debugger.pause');
      // The session ends in any case, and with it every pause: a main thread that waits for its debugger would wait for ever.
    }).finally(() => session.disconnect());
  }
}

function evaluate(session: Session, [frame]: readonly Debugger.CallFrame[], expression: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    if (!frame) return reject(new Error('No code is running.'));
    session.post(
      'Debugger.evaluateOnCallFrame',
      { callFrameId: frame.callFrameId, expression, returnByValue: true, silent: true },
      (error, answer) => (error ? reject(error) : resolve(answer.result.value)),
    );
  });
}

function workOf(value: unknown): WorkAtHand | null {
  return typeof value === 'string' ? (JSON.parse(value) as WorkAtHand | null) : null;
}

const placeOf = ({ functionName, location }: Debugger.CallFrame, scripts: ReadonlyMap<string, string>): string =>
  `${functionName || '(anonymous)'} ${scripts.get(location.scriptId) ?? ''}:${location.lineNumber + 1}:${(location.columnNumber ?? 0) + 1}`;
