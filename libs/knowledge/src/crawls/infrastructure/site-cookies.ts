import { Cookie, CookieJar } from 'tough-cookie';

const MOST_COOKIES = 50;
const LONGEST_COOKIE = 4_096;
/** Of all of them together: servers refuse longer headers. */
const MOST_CHARACTERS = 8_192;

/**
 * The cookies that sites set during one run of a crawl, sent back to those that set them alone: by their host and path, never to a whole
 * public suffix, nor to another port. They are kept in memory and end with the run.
 */
export class SiteCookies {
  private readonly jars = new Map<string, CookieJar>();
  private readonly sizes = new Map<string, number>();

  /** Of all that is kept. */
  get characters(): number {
    return [...this.sizes.values()].reduce((sum, size) => sum + size, 0);
  }

  keep(address: string, cookies: readonly string[]): void {
    for (const written of cookies.slice(0, MOST_COOKIES)) {
      const cookie = written.length <= LONGEST_COOKIE ? Cookie.parse(written) : undefined;
      if (cookie === undefined || !this.hasRoom(address, cookie)) continue;
      // One that the site may not set is passed over.
      const kept = this.jarOf(address).setCookieSync(cookie, address, { ignoreError: true });
      if (kept) this.sizes.set(nameOf(address, cookie), sizeOf(cookie));
    }
  }

  /** The header that goes with a request; undefined where there is none. */
  headerFor(address: string): string | undefined {
    return this.jars.get(new URL(address).port)?.getCookieStringSync(address) || undefined;
  }

  private hasRoom(address: string, cookie: Cookie): boolean {
    const before = this.sizes.get(nameOf(address, cookie));
    if (before === undefined && this.sizes.size >= MOST_COOKIES) return false;
    return this.characters - (before ?? 0) + sizeOf(cookie) <= MOST_CHARACTERS;
  }

  private jarOf(address: string): CookieJar {
    const { port } = new URL(address);
    const jar = this.jars.get(port) ?? new CookieJar();
    this.jars.set(port, jar);
    return jar;
  }
}

const sizeOf = ({ key, value }: Cookie): number => key.length + value.length + '=; '.length;
const nameOf = (address: string, { key, domain, path }: Cookie): string =>
  JSON.stringify([new URL(address).host, domain ?? '', path ?? '', key]);
