import { serveTasks } from '@atrium/platform/processes';
import { inspectFile } from './inspect-file';
import type { Inspection, InspectionTask, JpegAnswer, JpegTask } from './inspection';
import { uprightJpeg } from './picture-jpeg';

/** The process that files are inspected in, so that hostile or huge content can end this process at most. */
serveTasks<InspectionTask | JpegTask, Inspection | JpegAnswer>((task) => ('jpegPath' in task ? uprightJpeg(task) : inspectFile(task)));
