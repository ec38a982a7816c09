import type { Format } from '../shared/format.ts'
import { PackageParts } from './package-parts.ts'
import { readSheets } from './sheet-roles.ts'
import { readWorkbook } from './workbook.ts'
import { writeWorkbook } from './workbook-writer.ts'

/**
 * Excel workbooks (ECMA-376, Office Open XML), with a sheet of edges and a sheet of nodes. No library is used: the maintained
 * ones read asynchronously, and do not limit the size to which a small file unpacks.
 */
export const xlsx: Format = {
  name: 'xlsx',
  title: 'Excel',
  mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  endings: ['.xlsx', '.xlsm'],
  // Other zip archives are unpacked before their format is determined.
  recognises: (text) => text.startsWith('PK\u0003\u0004'),
  read: (bytes, into) => readSheets(readWorkbook(new PackageParts(bytes, into), into), into),
  write: writeWorkbook
}
