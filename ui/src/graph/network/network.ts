// The indexes of a network are those that pictures of the server are drawn by.
export * from '../../../../picture/model/network.ts'
