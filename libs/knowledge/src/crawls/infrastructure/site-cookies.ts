import { Cookie, CookieJar, defaultPath } from 'tough-cookie';

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

  keepCookies(address: string, cookies: readonly string[]): void {
    for (const written of cookies.slice(0, MOST_COOKIES)) {
      const cookie = written.length <= LONGEST_COOKIE ? Cookie.parse(written) : undefined;
      if (cookie === undefined) continue;
      // The jar fills in what the cookie leaves out.
      const name = nameOf(address, cookie);
      if (!this.hasRoom(name, cookie)) continue;
      // One that the site may not set is passed over.
      const kept = this.jarOf(address).setCookieSync(cookie, address, { ignoreError: true });
      if (kept) this.sizes.set(name, sizeOf(cookie));
    }
  }

  /** The header that goes with a request; undefined where there is none. */
  headerFor(address: string): string | undefined {
    return this.jars.get(new URL(address).port)?.getCookieStringSync(address) || undefined;
  }

  private hasRoom(name: string, cookie: Cookie): boolean {
    const before = this.sizes.get(name);
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
/** What a cookie is known by in its jar, also before it is set. */
const nameOf = (address: string, { key, domain, path }: Cookie): string => {
  const { port, hostname, pathname } = new URL(address);
  return JSON.stringify([port, domain ?? hostname, path ?? defaultPath(pathname), key]);
};
