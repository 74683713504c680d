/** A question that was given up while no provider was reading it: before it was sent, or in the pause after it was refused. The cause says why. */
export class NotAsked extends Error {
  constructor(override readonly cause: unknown) {
    super('The request was cancelled before a provider accepted it.');
  }
}
