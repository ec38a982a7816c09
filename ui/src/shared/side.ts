/** The two sides of a conflict: somebody else, who has saved first, and the user. */
export type Side = 'theirs' | 'yours'
