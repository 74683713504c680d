/** Asks again until the answer satisfies, at most so long; answers it, or throws what was last seen. */
export async function eventually<T>(ask: () => Promise<T>, satisfies: (answer: T) => boolean, milliseconds = 20_000): Promise<T> {
  const deadline = Date.now() + milliseconds;
  for (let pause = 20; ; pause = Math.min(pause * 1.5, 250)) {
    const answer = await ask();
    if (satisfies(answer)) return answer;
    if (Date.now() > deadline) throw new Error(`Not within ${milliseconds} ms; last seen: ${JSON.stringify(answer)?.slice(0, 2_000)}`);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
