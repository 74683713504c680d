/** How many months are tried downward. */
const MOST_TRIES = 12;

/** The months before a moment, the newest first, as versions are named. */
export function monthsBefore(now: Date): string[] {
  return Array.from({ length: MOST_TRIES }, (_, back) => {
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1 - back, 1));
    return `${month.getUTCFullYear()}${String(month.getUTCMonth() + 1).padStart(2, '0')}`;
  });
}
