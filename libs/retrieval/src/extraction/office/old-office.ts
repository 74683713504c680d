import { mkdtemp, rm } from 'node:fs/promises';
import type { ExtractedText, ExtractionTask } from '../extracted-text';
import { noText } from '../extraction-result';
import { extractDocx } from './docx';
import { extractGrid } from './grid';
import type { OfficeConvert, OldFormat } from './office-convert';
import { extractPptx } from './pptx';
import { Soffice } from './soffice';

const CALLED: Readonly<Record<OldFormat, readonly [what: string, format: string]>> = {
  doc: ['Word documents', '.docx'],
  xls: ['Excel spreadsheets', '.xlsx'],
  ppt: ['PowerPoint presentations', '.pptx'],
};

/** A file of Office of before 2007, by way of the format that came after it. */
export async function extractOldOffice(
  task: ExtractionTask,
  format: OldFormat,
  convert: OfficeConvert = new Soffice(),
): Promise<ExtractedText> {
  const engine = `${format}/1`;
  const [what, newer] = CALLED[format];
  const folder = await mkdtemp(`${task.path}-`);
  try {
    const conversion = await convert.convertFile({ path: task.path, from: format, folder, timeoutMs: task.limits.clockMs });
    if (conversion === 'missing')
      return noText(
        'unsupported',
        engine,
        `${what} from before Office 2007 can be read only if LibreOffice is installed, which is not the case here. Save the file as ${newer} and upload it again.`,
      );
    if (conversion === 'slow')
      return noText('failed', engine, `Converting the file takes too long. Save it as ${newer} and upload it again.`);
    if (conversion === 'refused')
      return noText(
        'failed',
        engine,
        `The file is damaged or protected by a password. Save it as ${newer} without a password and upload it again.`,
      );
    return { ...(await read({ ...task, path: conversion.made }, format)), engine };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function read(task: ExtractionTask, format: OldFormat): Promise<ExtractedText> {
  if (format === 'doc') return extractDocx(task);
  return format === 'xls' ? extractGrid(task, 'xlsx') : extractPptx(task);
}
