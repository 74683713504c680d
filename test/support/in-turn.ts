/**
 * Tries one case after the other in the same workspace: what is refused changes nothing, and a workspace takes longer to make than
 * twenty of them to refuse. The first that fails is named.
 */
export async function inTurn<T extends unknown[] | [unknown]>(cases: readonly T[], check: (...one: T) => unknown): Promise<void> {
  for (const one of cases)
    try {
      await check(...one);
    } catch (error) {
      throw new Error(`${JSON.stringify(one).slice(0, 300)}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
}
