/** Well-known networks, loaded on demand. NetworkX has the same data. */
export const samples = {
  lesMiserables: () => import('./les-miserables.json', { with: { type: 'json' } }),
  karateClub: () => import('./karate-club.json', { with: { type: 'json' } }),
  florentineFamilies: () => import('./florentine-families.json', { with: { type: 'json' } })
}
