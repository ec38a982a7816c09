/** The predefined entities of XML. */
export const ENTITIES: Readonly<Record<string, string>> = { quot: '"', amp: '&', apos: "'", lt: '<', gt: '>' }

/** The HTML entity names for the characters of ISO 8859-1, starting at U+00A0. */
const NAMES =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro ' +
  'para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil ' +
  'Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave ' +
  'Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml ' +
  'igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute ' +
  'thorn yuml'

/** The entities that GML supports: those of XML and those for ISO 8859-1. */
export const LATIN_ENTITIES: Readonly<Record<string, string>> = {
  ...ENTITIES,
  ...Object.fromEntries(NAMES.split(' ').map((name, index) => [name, String.fromCharCode(0xa0 + index)]))
}

/** Decodes numeric character references, such as `&#233;`, and the named entities. Leaves unknown entities unchanged. */
export function decodeEntities(text: string, names: Readonly<Record<string, string>> = {}): string {
  if (!text.includes('&')) return text
  return text.replace(
    /&(?:([A-Za-z][A-Za-z0-9]{1,7})|#(\d{1,7})|#x([0-9a-fA-F]{1,6}));/g,
    (all, name, decimal, hex) => {
      if (name) return Object.hasOwn(names, name) ? (names[name] as string) : all
      const code = decimal ? Number(decimal) : Number.parseInt(hex, 16)
      return code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000) ? String.fromCodePoint(code) : all
    }
  )
}
