export { extensionOf, isExecutable, isExecutableName, isLookedInto, kindOf } from './file-kinds';
export { InspectionError, type Inspection } from './inspection';
export { isFinal, isFoundBy } from './inspector-abilities';
export { MediaInspector } from './media-inspector';
export { TYPE_HEAD_BYTES, typeByBytes } from './type-by-bytes';
