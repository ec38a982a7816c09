/** An entry of search.json, which represents one section of a page. Pages with a higher rank come first. */
export type SearchEntry = [address: string, page: string, heading: string, text: string, rank: number]
