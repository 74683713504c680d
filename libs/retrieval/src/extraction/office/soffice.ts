import { spawn } from 'node:child_process';
import { access, copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { withStarted } from '@atrium/platform/processes';
import type { Conversion, FileToConvert, OfficeConvert, OldFormat } from './office-convert';

/** What LibreOffice calls the filters that write the new formats. */
const FILTERS: Readonly<Record<OldFormat, readonly [extension: string, filter: string]>> = {
  doc: ['docx', 'MS Word 2007 XML'],
  xls: ['xlsx', 'Calc MS Excel 2007 XML'],
  ppt: ['pptx', 'Impress MS PowerPoint 2007 XML'],
};
const MEMORY_KIB = 4 * 1024 * 1024;
const PROCESSOR_SECONDS = 120;
/** In units of 512 bytes. */
const FILE_BLOCKS = 1024 * 1024;
/** Bounds are set by the shell that becomes the program, so that they hold for what it starts, too. */
const BOUNDED = `export HOME="$PWD" TMPDIR="$PWD" LANG=C.UTF-8; ulimit -v ${MEMORY_KIB}; ulimit -t ${PROCESSOR_SECONDS}; ulimit -f ${FILE_BLOCKS}; ulimit -c 0; exec soffice "$@"`;
const NOT_FOUND = 127;
const TOO_SLOW = 'too slow';

const item = (path: string, name: string, value: string): string =>
  `<item oor:path="/org.openoffice.${path}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`;
/** No macros, no links that are followed, and a proxy that answers nothing. */
const PROFILE = `<?xml version="1.0" encoding="UTF-8"?><oor:items xmlns:oor="http://openoffice.org/2001/registry">${[
  item('Office.Common/Security/Scripting', 'DisableMacrosExecution', 'true'),
  item('Office.Common/Security/Scripting', 'MacroSecurityLevel', '3'),
  item('Office.Common/Security/Scripting', 'BlockUntrustedRefererLinks', 'true'),
  item('Office.Common/Security/Scripting', 'DisableActiveContent', 'true'),
  // Never, which each of them calls by another number.
  item('Office.Writer/Content/Update', 'Link', '0'),
  item('Office.Calc/Content/Update', 'Link', '1'),
  item('Inet/Settings', 'ooInetProxyType', '2'),
  item('Inet/Settings', 'ooInetHTTPProxyName', '127.0.0.1'),
  item('Inet/Settings', 'ooInetHTTPProxyPort', '9'),
  item('Inet/Settings', 'ooInetHTTPSProxyName', '127.0.0.1'),
  item('Inet/Settings', 'ooInetHTTPSProxyPort', '9'),
].join('')}</oor:items>`;

/**
 * LibreOffice, where `soffice` is in the search path. Each conversion has a profile of its own, so that several run beside each
 * other and nothing of one reaches the next. The program ends with the bounded process that starts it, whose group it shares.
 */
export class Soffice implements OfficeConvert {
  async convertFile({ path, from, folder, timeoutMs }: FileToConvert): Promise<Conversion> {
    const [extension, filter] = FILTERS[from];
    const profile = join(folder, 'profile');
    await mkdir(join(profile, 'user'), { recursive: true });
    await writeFile(join(profile, 'user', 'registrymodifications.xcu'), PROFILE);
    const source = join(folder, `file.${from}`);
    await copyFile(path, source);
    const out = join(folder, 'out');
    const code = await ended(
      [
        `-env:UserInstallation=${pathToFileURL(profile).href}`,
        '--headless',
        '--norestore',
        '--nolockcheck',
        '--nodefault',
        '--convert-to',
        `${extension}:${filter}`,
        '--outdir',
        out,
        source,
      ],
      folder,
      timeoutMs,
    );
    if (code === NOT_FOUND) return 'missing';
    if (code === TOO_SLOW) return 'slow';
    const made = join(out, `file.${extension}`);
    // It reports success as well where it could not open the file.
    return (await isThere(made)) ? { made } : 'refused';
  }
}

function ended(args: readonly string[], folder: string, timeoutMs: number): Promise<number | typeof TOO_SLOW | null> {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', BOUNDED, 'soffice', ...args], {
      cwd: folder,
      stdio: 'ignore',
    });
    let isSlow = false;
    const timer = setTimeout(() => {
      isSlow = true;
      void endAll(child.pid).finally(() => child.kill('SIGKILL'));
    }, timeoutMs);
    child.once('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      if (error.code === 'ENOENT') resolve(NOT_FOUND);
      else reject(error);
    });
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve(isSlow ? TOO_SLOW : code);
    });
  });
}

/** What is started first is a script on most systems; the program that works is one that it starts. */
async function endAll(first: number | undefined): Promise<void> {
  for (const pid of await withStarted(first === undefined ? [] : [first]))
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
