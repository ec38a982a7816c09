/** An entry of search.json, which represents one section of a page. */
export type SearchEntry = [address: string, page: string, heading: string, text: string]
