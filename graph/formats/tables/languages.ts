// The words for edges in English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Chinese and Japanese, and a few in
// Russian. Words are compared without case, spaces and accents.

/**
 * Reduces a name to lower-case letters and digits without accents, so that `Source Node`, `source_node` and `~sourceNode` are
 * treated as equal.
 */
export function plainNameOf(cell: string) {
  if (/^[a-z0-9]*$/.test(cell)) return cell
  return cell
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
}

const ENDS = [
  ['von', 'nach'],
  ['quelle', 'ziel'],
  ['ursprung', 'ziel'],
  ['absender', 'empfänger'],
  ['source', 'cible'],
  ['origine', 'destination'],
  ['expéditeur', 'destinataire'],
  ['origen', 'destino'],
  ['fuente', 'destino'],
  ['fuente', 'objetivo'],
  ['origem', 'destino'],
  ['fonte', 'destino'],
  ['fonte', 'alvo'],
  ['origine', 'destinazione'],
  ['sorgente', 'destinazione'],
  ['fonte', 'destinazione'],
  ['bron', 'doel'],
  ['van', 'naar'],
  ['herkomst', 'bestemming'],
  ['źródło', 'cel'],
  ['zrodlo', 'cel'],
  ['skąd', 'dokąd'],
  ['源', '目标'],
  ['源', '目標'],
  ['源节点', '目标节点'],
  ['來源節點', '目標節點'],
  ['来源', '目标'],
  ['來源', '目標'],
  ['源点', '终点'],
  ['起点', '终点'],
  ['起點', '終點'],
  ['起点', '終点'],
  ['始点', '終点'],
  ['ソース', 'ターゲット'],
  ['送信元', '送信先'],
  ['送信元', '宛先'],
  ['источник', 'цель'],
  ['откуда', 'куда']
] as const

/** The names of edge endpoints in languages other than English. */
export const FOREIGN_ENDS = ENDS.map(([source, target]) => [plainNameOf(source), plainNameOf(target)] as const)

/** The names of edge weights in other languages. */
const WEIGHTS = [
  'gewicht',
  'gewichtung',
  'poids',
  'peso',
  'waga',
  '权重',
  '權重',
  '权值',
  '重み',
  'ウェイト',
  'вес'
].map(plainNameOf)

/** The names of the edge direction column in other languages. */
const TYPES = ['typ', 'tipo', '类型', '類型', '種類', 'タイプ', 'тип'].map(plainNameOf)

const DIRECTED = [
  'directed|gericht(?:et)?|orient(?:ee?|ad[oa]|at[oa])|dirig(?:ee?|id[oa])|dirett?[oa]|direc?cionad[oa]|skierowan[yae]',
  'ориентированн(?:ыи|ое|ая)|направленн(?:ыи|ое|ая)'
].join('|')
const DIRECTION = new RegExp(`^(un|on|in|non?|not|nao|nicht|niet?|не)?(?:${DIRECTED})$|^(?:有|([无無]))向[边邊辺]?$`)
const MUTUAL =
  /^(?:mutual|mutuel(?:le)?|mutu[oa]|gegenseitig|beidseitig|wederzijds|wzajemn[yae]|双向|雙向|双方向|相互|взаимн(?:ыи|ое|ая))$/

/** Returns whether the column name means edge weight in a language other than English. */
export function isForeignWeight(name: string) {
  return WEIGHTS.includes(plainNameOf(name))
}

/** Returns whether a column's name means "edge type" in a language other than English. */
export function isForeignType(name: string) {
  return TYPES.includes(plainNameOf(name))
}

/** Returns the direction that a word denotes in any of the languages, such as Ungerichtet or Non orienté. */
export function directionOf(word: string): 'directed' | 'undirected' | 'mutual' | undefined {
  const plain = plainNameOf(word)
  if (MUTUAL.test(plain)) return 'mutual'
  const [found, not, none] = DIRECTION.exec(plain) ?? []
  if (found === undefined) return undefined
  return not === undefined && none === undefined ? 'directed' : 'undirected'
}
