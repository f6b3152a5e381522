# The manifest names a scene delegate by its former name
expect AD021
--- SceneDelegate.swift
final class MainSceneDelegate: UIResponder, UIWindowSceneDelegate {}
--- Info.plist
DELEGATE SceneDelegate
