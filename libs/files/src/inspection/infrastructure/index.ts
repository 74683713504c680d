export { extensionOf, isExecutable, isExecutableName, isLookedInto, kindOf, type FileKind } from './file-kinds';
export type {
  CaptureFacts,
  ColorShare,
  Inspection,
  InspectionFault,
  Orientation,
  Rendition,
  RenditionName,
  SystemMetadata,
} from './inspection';
export { RENDITION_EDGES } from './inspection';
export { isFinal, isFoundBy } from './inspector-abilities';
export { MediaInspector, type InspectionInput, type MediaInspectorOptions } from './media-inspector';
export { TYPE_HEAD_BYTES, typeByBytes, type TypeEvidence } from './type-by-bytes';
