import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { documentOf, wordParagraph } from '../../../../platform/testing/src/archives/office-of';
import { eventually } from '../../../../platform/testing/src/harness/eventually';
import { extractFile } from '../extract';
import { EXTRACTION_LIMITS, type ExtractedText, type ExtractionLimits } from '../extracted-text';

const OLD = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600), Buffer.from('WordDocument\0', 'utf16le')]);
const SHEET = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600), Buffer.from('Workbook\0', 'utf16le')]);

/**
 * A program that takes the command line of LibreOffice: a profile and folders that it may write, a known filter, and a source whose name says its
 * kind. As LibreOffice does, it says nothing of a file that it cannot open but in words.
 */
const STUB = (made: string): string => `#!/bin/sh
echo "$*" > "$HOME/../said"
ulimit -v >> "$HOME/../said"
cat "$HOME/profile/user/registrymodifications.xcu" >> "$HOME/../said"
case "$1" in -env:UserInstallation=file:///*) ;; *) exit 1 ;; esac
while [ $# -gt 0 ]; do
  case "$1" in
    --convert-to) filter=$2; shift ;;
    --outdir) out=$2; shift ;;
  esac
  last=$1
  shift
done
case "$filter" in 'docx:MS Word 2007 XML') ;; *) echo 'Error: no export filter'; exit 0 ;; esac
grep -q ENDLESS "$last" && { tail -f /dev/null & echo $! > "$HOME/../endless"; wait; }
grep -q BROKEN "$last" && { echo 'Error: source file could not be loaded'; exit 0; }
mkdir -p "$out" && cp '${made}' "$out/file.docx"
`;

describe('a file of Office of before 2007', () => {
  let folder: string;
  const path = process.env['PATH'];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'atrium-old-'));
    await writeFile(join(folder, 'made'), documentOf({ body: wordParagraph('Words of the old file', { style: 'Heading1' }) }));
    await writeFile(join(folder, 'soffice'), STUB(join(folder, 'made')));
    await chmod(join(folder, 'soffice'), 0o755);
  });
  afterEach(async () => {
    process.env['PATH'] = path;
    await rm(folder, { recursive: true, force: true });
  });
  const read = async (bytes: Buffer, name: string, limits: Partial<ExtractionLimits> = {}): Promise<ExtractedText> => {
    await writeFile(join(folder, 'original'), bytes);
    return extractFile({ path: join(folder, 'original'), type: 'application/x-cfb', name, limits: { ...EXTRACTION_LIMITS, ...limits } });
  };

  it('is read by way of LibreOffice, which runs within bounds, without macros, and leaves nothing behind', async () => {
    process.env['PATH'] = `${folder}:${path}`;
    const found = await read(OLD, 'a.doc');
    expect(found).toMatchObject({ status: 'ready', engine: 'doc/1', markdown: '# Words of the old file' });
    const said = await readFile(join(folder, 'said'), 'utf8');
    expect(said).toMatch(/--headless .*--convert-to docx:MS Word 2007 XML --outdir/);
    expect(said).toMatch(/^4194304$/m);
    expect(said).toContain('DisableMacrosExecution');
    expect((await readdir(folder)).sort()).toEqual(['made', 'original', 'said', 'soffice']);
  });

  it('that LibreOffice cannot open says what to do', async () => {
    process.env['PATH'] = `${folder}:${path}`;
    expect(await read(Buffer.concat([OLD, Buffer.from('BROKEN')]), 'a.doc')).toMatchObject({
      status: 'failed',
      reason: 'The file is damaged or protected by a password. Save it as .docx without a password and upload it again.',
    });
  });

  it('is left to LibreOffice for its time, after which all that it has started is ended', async () => {
    process.env['PATH'] = `${folder}:${path}`;
    expect(await read(Buffer.concat([OLD, Buffer.from('ENDLESS')]), 'a.doc', { clockMs: 5_000 })).toMatchObject({
      status: 'failed',
      reason: 'Converting the file takes too long. Save it as .docx and upload it again.',
    });
    const pid = Number(await readFile(join(folder, 'endless'), 'utf8'));
    const stateOf = (): Promise<string> => readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    await eventually(stateOf, (state) => state === '' || /^State:\s+[ZX]/m.test(state));
  });

  it('says what to do where LibreOffice is not installed', async () => {
    process.env['PATH'] = join(folder, 'absent');
    expect(await read(SHEET, 'a.xls')).toMatchObject({
      status: 'unsupported',
      reason:
        'Excel spreadsheets from before Office 2007 can be read only if LibreOffice is installed, which is not the case here. Save the file as .xlsx and upload it again.',
    });
    expect((await read(Buffer.concat([OLD, SHEET]), 'a.xls')).reason).toMatch(/^Excel/);
  });
});
