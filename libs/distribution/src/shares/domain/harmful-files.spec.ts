import { growth, LINEAR } from '../../../../platform/testing/src/growth';
import { canHarm, harmfulBytes, harmfulName, isWelcome, type LookedAtBytes } from './harmful-files';

const bytes = (content: string | Buffer): LookedAtBytes => {
  const head = Buffer.isBuffer(content) ? content : Buffer.from(content);
  return { head, tail: Buffer.alloc(0), size: head.length };
};
const zip = (...names: string[]): Buffer =>
  Buffer.concat(names.map((name) => Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), Buffer.alloc(26), Buffer.from(name)])));
const NOTHING = { allowed_kinds: [], allowed_formats: [] };

describe('the name of a file', () => {
  it.each([
    ['run.sh', 'script'],
    ['app.JS', 'script'],
    ['setup.ps1', 'script'],
    ['a.bat', 'script'],
    ['a.vbs', 'script'],
    ['a.hta', 'script'],
    ['a.py', 'script'],
    ['link.url', 'script'],
    ['letter.docm', 'macro'],
    ['sheet.xlsm', 'macro'],
    ['talk.PPTM', 'macro'],
    ['base.accdb', 'macro'],
    ['game.exe', 'program'],
    ['a.jar', 'program'],
    ['a.lnk', 'program'],
    ['invoice.pdf.js', 'script'],
    ['run.sh.', 'script'],
    ['run.sh  . ', 'script'],
    ['run.js\u200b', 'script'],
    ['photo\u202egpj.js', 'script'],
    ['run.ｊｓ', 'script'],
    ['note.txt:evil.js', 'script'],
    ['run.sh.txt', 'script'],
    ['letter.docm.zip', 'macro'],
  ])('%j is a %s', (name, kind) => expect(harmfulName(name)).toBe(kind));

  it.each([
    'photo.jpg',
    'next.js.png',
    'site.example.app.jpg',
    'Letter.docx',
    'notes',
    '.profile',
    'table.xlsx',
    'film.ts',
    'drawing.svg',
    'a.b.c.pdf',
    'v1.2.zip',
    'Straße am Meer.heic',
  ])('%j is none', (name) => expect(harmfulName(name)).toBeNull());
});

describe('the bytes of a file', () => {
  it.each<[string, string | Buffer, string]>([
    ['a script of a shell', '#!/bin/sh\nrm -rf ~', 'script'],
    ['one behind a byte order mark', '\ufeff#!/usr/bin/env node\n', 'script'],
    ['one in UTF-16', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('#!/bin/sh\n', 'utf16le')]), 'script'],
    ['a batch file', '@echo off\r\ndel *', 'script'],
    ['PHP', '<?php system($_GET[0]);', 'script'],
    ['a shortcut to an address', '[InternetShortcut]\nURL=file://evil', 'script'],
    ['a page with a script', '<!doctype html><p>Hi<script>alert(1)</script>', 'script'],
    ['a page that listens', '<html><body onload="go()">', 'script'],
    ['a drawing with a script', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', 'script'],
    [
      'a drawing with a script of its own name',
      '<?xml version="1.0"?><svg:svg xmlns:svg="http://www.w3.org/2000/svg"><svg:script>alert(1)</svg:script></svg:svg>',
      'script',
    ],
    ['a drawing with a hidden address', '<svg><a href="java&#115;cript:alert(1)">x</a></svg>', 'script'],
    ['a document of Office with Visual Basic', zip('[Content_Types].xml', 'word/document.xml', 'word/vbaProject.bin'), 'macro'],
    ['a sheet of macros', zip('[Content_Types].xml', 'xl/macrosheets/sheet1.xml'), 'macro'],
    [
      'an old document with Visual Basic',
      Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600), Buffer.from('_VBA_PROJECT', 'utf16le')]),
      'macro',
    ],
    ['a document as one XML with macros', '<?xml version="1.0"?><w:wordDocument w:macrosPresent="yes">', 'macro'],
    ['a program of Windows', Buffer.concat([Buffer.from('MZ'), Buffer.alloc(80)]), 'program'],
    ['a program of Linux', Buffer.from('7f454c4602010100', 'hex'), 'program'],
  ])('tell %s', (_, content, kind) => expect(harmfulBytes(bytes(content))).toBe(kind));

  it.each<[string, string | Buffer]>([
    ['a text', 'Dear all,\n# not a script\n'],
    ['a page without scripts', '<!doctype html><title>Menu</title><h1>Soup</h1>'],
    ['a drawing', '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>'],
    ['a track of a walk', '<?xml version="1.0"?><gpx online="yes"><trkpt lat="1"/></gpx>'],
    ['a document', zip('[Content_Types].xml', 'word/document.xml')],
    ['an old document', Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600), Buffer.from('WordDocument', 'utf16le')])],
    ['a text that begins like a program', 'MZ is a car plate of Mainz'],
    ['nothing', ''],
  ])('let %s be', (_, content) => expect(harmfulBytes(bytes(content))).toBeNull());

  it('take markup that is larger than what was looked at for a script', () =>
    expect(harmfulBytes({ head: Buffer.from('<svg>'), tail: Buffer.alloc(0), size: 9_000_000 })).toBe('script'));

  it('find the macros of a large document by its directory at the end', () =>
    expect(harmfulBytes({ head: zip('[Content_Types].xml'), tail: zip('word/vbaProject.bin'), size: 9_000_000 })).toBe('macro'));

  it('are not looked at in pictures, films and sounds', () => {
    for (const type of ['image/jpeg', 'video/mp4', 'audio/mpeg', 'application/pdf', 'font/ttf']) expect(canHarm(type)).toBe(false);
    for (const type of ['image/svg+xml', 'text/plain', 'application/zip', 'application/octet-stream']) expect(canHarm(type)).toBe(true);
  });
});

describe('a link', () => {
  it('takes what is harmful when it names the kind or the very extension, and by no other extension', () => {
    expect(isWelcome('script', 'run.sh', NOTHING)).toBe(false);
    expect(isWelcome('script', 'run.sh', { allowed_kinds: ['image', 'script'], allowed_formats: [] })).toBe(true);
    expect(isWelcome('script', 'run.sh', { allowed_kinds: [], allowed_formats: ['sh'] })).toBe(true);
    expect(isWelcome('script', 'photo.jpg', { allowed_kinds: [], allowed_formats: ['jpg'] })).toBe(false);
    expect(isWelcome('macro', 'letter.docx', { allowed_kinds: ['document'], allowed_formats: ['docx'] })).toBe(false);
  });
});

describe('markup with scripts', () => {
  it.each([
    '<p title="<" onclick=go()>',
    '<p title="a<b"\nonmouseover = "go()">',
    '<img/onerror=go()>',
    '<meta name="a" http-equiv="refresh">',
    '<META HTTP-EQUIV=refresh>',
    '<a href="  javascript:go()">',
    '<a href=  vbscript:go()>',
  ])('is a script: %s', (tag) => expect(harmfulBytes(bytes(`<html><p>x</p>${tag}</html>`))).toBe('script'));

  it.each(['<p>x > y, online = good</p>', '<p>http-equiv="refresh"</p>', '<meta charset="utf-8"><p>http-equiv=refresh</p>'])(
    'is none where the words are text: %s',
    (text) => expect(harmfulBytes(bytes(`<html>${text}</html>`))).toBeNull(),
  );

  it.each(['<', '<meta ', '<w:binData ', '<p onx', ' onclick', 'href=   ', '<!-', '&#', 'to = " '])(
    'is looked through in a time that grows with its length alone: %j',
    (part) => {
      const markup = (size: number): LookedAtBytes => bytes(`<html>${part.repeat(size / part.length)}`);
      expect(growth(markup, 200_000, harmfulBytes)).toBeLessThan(LINEAR);
    },
  );

  it('is looked through in such a time where one blank follows another', () => {
    expect(growth((size) => bytes(`<html>to=${' '.repeat(size)}`), 200_000, harmfulBytes)).toBeLessThan(LINEAR);
  });
});
