import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ofThisFile, packageOf, textPdf, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { Crediting } from '../governance/crediting';
import { sharedAtriumWithWorker } from '../support/shared-atrium';

const SCRIPT = join(__dirname, '../../tools/tour/tour.mjs');
const MIB = 1024 * 1024;
let api: RunningApi;
let workspace: TestWorkspace;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'atrium-tour-test-'));
  api = await sharedAtriumWithWorker();
  workspace = await api.workspace(['module-documents']);
}, 60_000);
afterAll(async () => {
  await api.close();
  await rm(folder, { recursive: true, force: true });
});

interface Tour {
  readonly child: ChildProcess;
  readonly ended: Promise<{ readonly code: number | null; readonly text: string }>;
}

/** A tour in a process of its own; `watch` sees all it has said so far. */
function tour(args: readonly string[], watch: (text: string, child: ChildProcess) => void = () => undefined, visited = workspace): Tour {
  const { 'X-Api-Key': key, 'X-Tenant-Id': tenant } = visited.owner.client.headers;
  const child = ofThisFile(
    spawn(process.execPath, [SCRIPT, ...args], {
      env: { ...process.env, DATA_DIR: folder, ATRIUM_URL: api.url, ATRIUM_KEY: key, ATRIUM_TENANT: tenant },
    }),
  );
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      watch(text, child);
    });
  }
  return { child, ended: new Promise((resolve) => child.once('exit', (code) => resolve({ code, text }))) };
}

describe('the tour', () => {
  it('does the main job with pictures of its own and shows it as curl lines without the key', async () => {
    const { code, text } = await tour([]).ended;
    expect({ code, text }).toMatchObject({ code: 0 });
    expect(text).toContain('renditions small,medium,large');
    expect(text).toContain('5 entries');
    expect(text).toContain('curl -X POST -H "X-Api-Key: $ATRIUM_KEY"');
    expect(text).not.toContain(workspace.owner.client.headers['X-Api-Key']);
  }, 60_000);

  it('takes folders with everything below them, hidden files left out', async () => {
    const photos = join(folder, 'photos');
    await mkdir(join(photos, 'below'), { recursive: true });
    await writeFile(join(photos, 'notes.txt'), 'Sails up at six.');
    await writeFile(join(photos, 'below', 'twin.txt'), 'Sails up at six.');
    await writeFile(join(photos, 'below', "what's this?.csv"), 'a,b\n1,2\n');
    await writeFile(join(photos, 'below', '.hidden'), 'x');
    const { code, text } = await tour([photos]).ended;
    expect({ code, text }).toMatchObject({ code: 0 });
    expect(text).toContain('3 files');
    expect(text).toContain('every SHA-256 matches the uploaded file');
  }, 60_000);

  it('sends nothing twice when a folder is taken again, names a file that is refused and goes on with the others', async () => {
    const mixed = join(folder, 'mixed');
    await mkdir(mixed);
    await writeFile(join(mixed, 'first.txt'), randomBytes(64).toString('hex'));
    await writeFile(join(mixed, 'last.txt'), randomBytes(64).toString('hex'));
    const sound = await tour([mixed]).ended;
    expect(sound).toMatchObject({ code: 0 });
    const before = (await workspace.owner.client.get('/uploads?limit=1000').expect(200)).body.data.length as number;
    await writeFile(join(mixed, 'installer.exe'), 'MZ');
    const { code, text } = await tour([mixed]).ended;
    expect({ code, text }).toMatchObject({ code: 1 });
    expect(text).toContain('first.txt: already uploaded');
    expect(text).toContain('last.txt: already uploaded');
    expect(text).toMatch(/✗ installer\.exe: .+/);
    expect(text).toContain('2 entries');
    expect(text).toContain('1 of 3 files were rejected: installer.exe.');
    expect((await workspace.owner.client.get('/uploads?limit=1000').expect(200)).body.data).toHaveLength(before);
  }, 60_000);

  it('goes on with a multipart upload after Ctrl-C, with nothing saved but its id', async () => {
    const large = join(folder, 'large.bin');
    await writeFile(large, randomBytes(66 * MIB));
    const first = await tour([large], (text, child) => {
      if (text.includes('2. Upload'))
        waitForParts().then(
          () => child.kill('SIGINT'),
          () => child.kill('SIGINT'),
        );
    }).ended;
    expect(first.code).toBe(130);
    expect(existsSync(join(folder, 'tour-uploads.json'))).toBe(true);
    const second = await tour([large]).ended;
    expect(second).toMatchObject({ code: 0 });
    expect(second.text).toMatch(/resumed, 9 parts/);
    expect(existsSync(join(folder, 'tour-uploads.json'))).toBe(false);
    const uploads = await workspace.owner.client.get('/uploads?limit=1000').expect(200);
    expect(uploads.body.data.filter((upload: { file_name: string }) => upload.file_name === 'large.bin')).toHaveLength(1);
  }, 120_000);

  it('asks the documents of a folder: waits until they are found, and shows passages with their file and page', async () => {
    const library = join(folder, 'library');
    await mkdir(join(library, 'below'), { recursive: true });
    const page = (text: string) => [{ text, x: 60, y: 700 }];
    await writeFile(
      join(library, 'lease.pdf'),
      textPdf([page('Preamble of the contract.'), page('The lease of the boathouse ends in May.')]),
    );
    await writeFile(join(library, 'below', 'tides.md'), '# Tides\n\nHigh tide is at seven.\n');
    await writeFile(join(library, 'below', 'broken.docx'), packageOf({ '_rels/.rels': 'no xml', 'word/document.xml': '<' }));
    const { code, text } = await tour(['ask', library, 'When does the lease of the boathouse end?']).ended;
    expect(text).toContain('3 of 3 documents are ready');
    expect(code).toBe(0);
    expect(text).toMatch(/1\. lease\.pdf, pages 1 to 2\n\s+Preamble of the contract\.\n\s+The lease of the boathouse ends in May\./);
    expect(text).toMatch(/✗ broken\.docx: .+\./);
    expect(text).toMatch(/curl -X POST .*\/retrieval\/search/);
    const again = await tour(['ask', library, 'At what hour is high tide?']).ended;
    expect(again).toMatchObject({ code: 0 });
    expect(again.text).toContain('lease.pdf: already uploaded');
    expect(again.text).toMatch(/1\. tides\.md — Tides/);
  }, 120_000);

  it('talks with the agent of the workspace: the answer grows, and its sources are named', async () => {
    await new Crediting(api).grant(workspace, { grant_credits: 100 });
    const notes = join(folder, 'notes');
    await mkdir(notes);
    await writeFile(join(notes, 'pilots.md'), '# Pilots\n\nBoats longer than twelve metres need a pilot.\n');
    expect(await tour(['ask', notes, 'Who needs a pilot?']).ended).toMatchObject({ code: 0 });
    const one = await tour(['chat', 'Which', 'boats', 'need a pilot?']).ended;
    expect(one).toMatchObject({ code: 0 });
    expect(one.text).toContain('Assistant: Ask me about anything');
    expect(one.text).toContain('> Which boats need a pilot?\n   (search_knowledge {"query":"Which boats need a pilot?"})\n');
    expect(one.text).toContain(
      'Boats longer than twelve metres need a pilot. [1]\n   [1] pilots.md: “Boats longer than twelve metres need a pilot.”',
    );
    expect(one.text).toMatch(/curl -N .*\/events/);
    const several = tour(['chat']);
    several.child.stdin?.end('Which boats need a pilot?\n/calculate {"expression": "2 + 3"}\n');
    const { code, text } = await several.ended;
    expect({ code, text }).toMatchObject({ code: 0 });
    expect(text).toMatch(/> Which boats need a pilot\?[\s\S]+pilots\.md[\s\S]+> \/calculate [\s\S]+The tool calculate answered: 5/);
  }, 120_000);

  it('asks the person about a tool that needs consent, and says what is missing where there are no credits', async () => {
    const poor = await api.workspace();
    const by = (input: string, args: readonly string[] = []): Tour['ended'] => {
      const chat = tour(['chat', ...args], () => undefined, poor);
      chat.child.stdin?.end(input);
      return chat.ended;
    };
    const refused = await by('Hello\n');
    expect(refused.code).toBe(1);
    expect(refused.text).toContain(`npm run cli -- credits grant ${poor.tenant_id} --credits`);
    await new Crediting(api).grant(poor, { grant_credits: 100 });
    const { client } = poor.owner;
    const [agent] = ((await client.get('/agents?agent_default=true').expect(200)).body as { data: { agent_id: string }[] }).data;
    await client.patch(`/agents/${agent?.agent_id}`, { agent_tools: [{ tool: 'calculate', approval: 'always' }] }).expect(200);
    const asked = '/calculate {"expression": "2 + 3"}\n';
    expect((await by(`${asked}yes\n`)).text).toMatch(/May calculate run with .+\? \[y\/n\] yes\n[\s\S]*answered: 5/);
    expect((await by(`${asked}no\n`)).text).toContain('The tool calculate did not run');
  }, 120_000);

  it('asks nothing without a question, and says how to ask', async () => {
    const { code, text } = await tour(['ask', folder]).ended;
    expect(code).toBe(1);
    expect(text).toContain('npm run tour -- ask FOLDER "question"');
  });

  it('says what to do when nothing answers', async () => {
    const child = spawn(process.execPath, [SCRIPT], {
      env: { ...process.env, DATA_DIR: join(folder, 'empty'), ATRIUM_URL: '', ATRIUM_KEY: '', ATRIUM_TENANT: '' },
    });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(1);
    expect(text).toContain('npm start');
    expect(readdirSync(folder)).not.toContain('empty');
  });
});

/** Until storage holds a part of the upload that is on its way. */
async function waitForParts(): Promise<void> {
  for (;;) {
    const open = await workspace.owner.client.get('/uploads?upl_state=open');
    const id = (open.body.data as { upl_id: string; file_name: string }[]).find((upload) => upload.file_name === 'large.bin')?.upl_id;
    const upload = id ? await workspace.owner.client.get(`/uploads/${id}`) : undefined;
    if ((upload?.body.upl_received as unknown[] | undefined)?.length) return;
  }
}
