// The indexes of a network are those that pictures of the server are drawn by.
export * from '../../../graph/picture/network.ts'
