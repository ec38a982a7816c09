Creator "a test"
directed 1
graph [
  node [ id "n&eacute;" label "<b class=\"x\">N&eacute;</b>" graphics [ x 10.0 y 20.0 w 40.0 h 20.0 fill "#ffcc00" ] ]
  node [ id "B" label "B" ]
  node [ id 3 label "Three" ]
  edge [ source "n&eacute;" target B weight 2 ]
  edge [ source "B" target "3" graphics [ arrow "last" Line [ point [ x 1.0 y 2.0 ] point [ x 3.0 y 4.0 ] ] ] ]
]
