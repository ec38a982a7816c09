/** An entry of search.json: a section of a page. */
export type SearchEntry = [address: string, page: string, heading: string, text: string]
